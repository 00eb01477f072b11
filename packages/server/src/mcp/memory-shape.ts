import type { Memory, MemoryKind, MemoryScope } from "throughline";
import { omitUndefined } from "throughline/internal";
import type { FactCategory } from "throughline/memory";
import { z } from "zod";
import { writeTime } from "./dates.ts";
import { shortText } from "./fit-texts.ts";

export const KINDS = ["fact", "episode", "pattern", "workflow"] as const satisfies readonly MemoryKind[];
export const CATEGORIES = ["identity", "preference", "project"] as const satisfies readonly FactCategory[];
const SCOPES = ["user-private", "project-shared", "system"] as const satisfies readonly MemoryScope[];
/** Maximum tokens of a memory in the result of a change. */
const MAX_TOKENS = 300;

/** A memory in structured results. Times are in ISO 8601. */
export const memoryShape = z.object({
  id: z.string(),
  text: z.string().describe("Shortened to beginning and end if it is long; `expand` reads all of it."),
  kind: z.enum(KINDS),
  category: z.enum(CATEGORIES).optional(),
  key: z.string().optional(),
  value: z.string().optional(),
  subject: z.string().optional(),
  scope: z.enum(SCOPES),
  pinned: z.boolean(),
  confidence: z.number(),
  mentions: z.int(),
  valid_from: z.string(),
  valid_to: z.string().optional().describe("When it stopped being true."),
  forgotten_at: z.string().optional(),
  session_id: z.string().optional().describe("Session it comes from."),
});

/** Converts a memory; `text` overrides its full text. */
export function toMemoryShape(memory: Memory, text = shortText(memory.levels.full, MAX_TOKENS)) {
  const { id, kind, category, key, value, subject, scope, pinned, confidence, mentions } = memory;
  const { validFrom, validTo, archivedAt, source } = memory;
  return omitUndefined({
    id,
    text,
    kind,
    category,
    key,
    value: value === undefined ? undefined : shortText(value, MAX_TOKENS),
    subject,
    scope,
    pinned,
    confidence,
    mentions,
    valid_from: writeTime(validFrom),
    valid_to: validTo === undefined ? undefined : writeTime(validTo),
    forgotten_at: archivedAt === undefined ? undefined : writeTime(archivedAt),
    session_id: source.sessionId,
  });
}
