import { omitUndefined } from "../../internal/json.ts";
import type { Memory, MemoryLevels } from "../../ports/memory.ts";
import { buildLevels } from "../levels/build-levels.ts";
import { COMPRESS_AFTER, SUMMARIZE_AFTER } from "./consolidation-rules.ts";

/** A text that is no longer than this may be its own summary. */
const SHORT_TEXT = 200;
const SHORTER = ["summary", "compressed", "index"] as const;

/**
 * An episode as it is given out at its age: by its summary after a week, by its one line after a month, and whole again
 * once it is spoken of again. All of its text stays; levels that nobody has written are built by rules. Any other
 * memory, and an episode that is pinned, stays as it is.
 */
export function serveShorter(memory: Memory, now: number): Memory {
  if (memory.kind !== "episode") return memory;
  const servedLevel = servedAt(memory, now);
  const levels = servedLevel === undefined ? memory.levels : fillLevels(memory);
  if (servedLevel === memory.servedLevel && levels === memory.levels) return memory;
  return omitUndefined({ ...memory, levels, servedLevel });
}

function servedAt({ pinned, lastSeenAt }: Memory, now: number): Memory["servedLevel"] {
  const age = now - lastSeenAt;
  if (pinned || age <= SUMMARIZE_AFTER) return undefined;
  return age > COMPRESS_AFTER ? "compressed" : "summary";
}

/** The same levels where none is missing, or where the rules have nothing shorter to say. */
function fillLevels({ kind, levels }: Memory): MemoryLevels {
  const missing = SHORTER.filter((level) => isMissing(levels[level], levels.full));
  if (missing.length === 0) return levels;
  const built = buildLevels({ kind, text: levels.full });
  const filled = missing.filter((level) => built[level] !== levels[level]).map((level) => [level, built[level]]);
  return filled.length === 0 ? levels : { ...levels, ...Object.fromEntries(filled) };
}

function isMissing(level: string, full: string): boolean {
  return level.trim() === "" || (level === full && full.length > SHORT_TEXT);
}
