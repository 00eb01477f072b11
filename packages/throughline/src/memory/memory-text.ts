import { stripInvisible } from "../internal/text.ts";
import type { Memory, MemoryLevels } from "../ports/memory.ts";
import { currentText } from "./staleness/current-text.ts";
import { outdatedSpans } from "./staleness/mark-stale.ts";

/** The text of a memory at a level (default: its served level), without the parts that it calls outdated itself. */
export function memoryText({ levels, servedLevel }: Memory, level: keyof MemoryLevels = servedLevel ?? "full"): string {
  const text = stripInvisible(levels[level]);
  return currentText(text, outdatedSpans(text)) || text;
}
