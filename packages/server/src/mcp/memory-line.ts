import type { Memory, MemoryKind } from "throughline";
import type { FactCategory } from "throughline/memory";
import { shortText } from "./fit-texts.ts";

export const KINDS = ["fact", "episode", "pattern", "workflow"] as const satisfies readonly MemoryKind[];
export const CATEGORIES = ["identity", "preference", "project"] as const satisfies readonly FactCategory[];
/** Maximum tokens of a memory in the result of a change. */
const MAX_TOKENS = 300;

/** A memory in one line: its text, shortened to beginning and end if it is long, and its id. */
export function memoryLine({ id, levels }: Memory, maxTokens = MAX_TOKENS): string {
  return `${shortText(levels.full, maxTokens)} (${id})`;
}
