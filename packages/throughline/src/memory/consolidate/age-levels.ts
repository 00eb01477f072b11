import { omitUndefined } from "../../internal/json.ts";
import type { Memory, MemoryLevels } from "../../ports/memory.ts";
import { buildLevels } from "../levels/build-levels.ts";
import { COMPRESS_AFTER, SUMMARIZE_AFTER } from "./consolidation-rules.ts";

/** Texts up to this length may be their own summary. */
const SHORT_TEXT = 200;
const SHORTER = ["summary", "compressed", "index"] as const;

/**
 * Sets the level at which an episode is served by its age: the summary after a week, one line after a month, the full text
 * again once it is mentioned again. The full text is kept; missing levels are built by rules. Pinned episodes and
 * memories of other kinds stay unchanged.
 */
export function ageLevels(memory: Memory, now: number): Memory {
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

/** Builds missing levels; returns the same object if none is missing or the rules give nothing shorter. */
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
