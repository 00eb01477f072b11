import { CHECKED_LATER, FLAG, FUNCTION, OBJECT, type OptionRules, TEXTS } from "../errors/check-options.ts";
import type { ConsolidateOptions } from "./consolidate/consolidate-spaces.ts";
import type { IngestInput, MemoryPatch, RememberInput } from "./memory-api.ts";
import type { ImportOptions } from "./transfer/import-memories.ts";

// Values are checked by the functions that read them; these rules refuse names that nothing reads.
export const REMEMBER_RULES: OptionRules<RememberInput> = {
  id: CHECKED_LATER,
  text: CHECKED_LATER,
  kind: CHECKED_LATER,
  category: CHECKED_LATER,
  key: CHECKED_LATER,
  value: CHECKED_LATER,
  subject: CHECKED_LATER,
  aliases: CHECKED_LATER,
  scope: CHECKED_LATER,
  pinned: FLAG,
  validFrom: CHECKED_LATER,
  source: CHECKED_LATER,
  replaces: [(value) => typeof value === "string" || TEXTS[0](value), "the id of a memory, or a list of ids"],
  byHand: FLAG,
  artifacts: CHECKED_LATER,
  title: CHECKED_LATER,
  steps: CHECKED_LATER,
  template: CHECKED_LATER,
  levels: CHECKED_LATER,
  updatesPrevious: FLAG,
  keepSecrets: FLAG,
};
export const INGEST_RULES: OptionRules<IngestInput> = {
  sessionId: CHECKED_LATER,
  messages: CHECKED_LATER,
  keepSecrets: FLAG,
  signal: OBJECT,
};
export const PATCH_RULES: OptionRules<MemoryPatch> = {
  text: CHECKED_LATER,
  category: CHECKED_LATER,
  key: CHECKED_LATER,
  value: CHECKED_LATER,
  subject: CHECKED_LATER,
  aliases: CHECKED_LATER,
  confidence: CHECKED_LATER,
  pinned: FLAG,
  scope: CHECKED_LATER,
  validFrom: CHECKED_LATER,
  validTo: CHECKED_LATER,
  archived: FLAG,
  reviewed: FLAG,
  artifacts: CHECKED_LATER,
  links: CHECKED_LATER,
  keepSecrets: FLAG,
};
export const IMPORT_RULES: OptionRules<ImportOptions> = { dryRun: FLAG, onProgress: FUNCTION, signal: OBJECT };
export const CONSOLIDATE_RULES: OptionRules<ConsolidateOptions> = {
  dryRun: FLAG,
  onProgress: FUNCTION,
  signal: OBJECT,
};
