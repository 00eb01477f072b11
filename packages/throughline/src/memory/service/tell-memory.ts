import { stripInvisible } from "../../internal/one-line.ts";
import type { Memory, MemoryLevels } from "../../ports/memory.ts";
import { currentText } from "../staleness/current-text.ts";
import { outdatedSpans } from "../staleness/outdated-spans.ts";

/** A memory's words at a level, by default the one at which it is given out. What it says of what is wrong is left out. */
export function tellMemory({ levels, servedLevel }: Memory, level: keyof MemoryLevels = servedLevel ?? "full"): string {
  const text = stripInvisible(levels[level]);
  return currentText(text, outdatedSpans(text)) || text;
}
