import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { Contradiction, Memory, MemoryLevels, Resolution } from "../../ports/memory.ts";
import { mergeMemories } from "./merge-memories.ts";

/** How a contradiction is settled. */
export interface ResolveOptions {
  readonly resolution: Resolution;
  readonly note?: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The id of the memory that takes the place of both; needed where they are merged. */
  readonly mergedId?: string;
  /** What the merged memory says; the words of both, the older first, where nothing is given. */
  readonly mergedText?: string;
  /** Writes the levels of the merged memory; without it each level is the whole text. */
  readonly levelsOf?: (text: string) => MemoryLevels;
}

/** What settling changes. Nothing is deleted. */
export interface ResolvedContradiction {
  readonly contradiction: Contradiction;
  /** Memories as they are from now on. */
  readonly changed: readonly Memory[];
  /** Memories that did not exist before. */
  readonly added: readonly Memory[];
}

const RESOLUTIONS: readonly string[] = ["a_wins", "b_wins", "both_valid", "merged"] satisfies Resolution[];

/**
 * Settles a contradiction: the loser's validity ends now and it is superseded by the winner; both stay as they are; or a
 * new memory supersedes both.
 *
 * @throws InvalidOptionError where it is settled already, a memory is missing, or a merge has no id for what it makes.
 *
 * @example
 * resolveContradiction(open, [old, current], { resolution: "b_wins", note: "Migration completed", now: Date.now() });
 */
export function resolveContradiction(
  contradiction: Contradiction,
  memories: readonly Memory[],
  options: ResolveOptions,
): ResolvedContradiction {
  const { resolution, note, now } = options;
  if (contradiction.status !== "open") throw new InvalidOptionError("contradiction", contradiction.id, "an open one");
  if (!RESOLUTIONS.includes(resolution)) throw new InvalidOptionError("resolution", resolution, RESOLUTIONS.join(", "));
  const a = findMemory(memories, contradiction.memoryA);
  const b = findMemory(memories, contradiction.memoryB);
  const resolved = omitUndefined({ ...contradiction, status: "resolved" as const, resolvedAt: now, resolution, note });
  if (resolution === "both_valid") return { contradiction: resolved, changed: [], added: [] };
  if (resolution === "merged") return { contradiction: resolved, ...merge(a, b, options) };
  const [winner, loser] = resolution === "a_wins" ? [a, b] : [b, a];
  return { contradiction: resolved, changed: [superseding(winner, loser), endedBy(loser, winner.id, now)], added: [] };
}

function findMemory(memories: readonly Memory[], id: string): Memory {
  const memory = memories.find((candidate) => candidate.id === id);
  if (memory === undefined)
    throw new InvalidOptionError("memories", `without ${id}`, "both memories of the contradiction");
  return memory;
}

/** What ended before stays ended then; what begins later never begins. */
function endedBy(memory: Memory, by: string, now: number): Memory {
  const end = Math.max(memory.validFrom, Math.min(memory.validTo ?? now, now));
  return { ...memory, validTo: end, supersededBy: by };
}

/** A chain has one link back: the first that was superseded keeps it. */
function superseding(winner: Memory, loser: Memory): Memory {
  return winner.supersedes === undefined ? { ...winner, supersedes: loser.id } : winner;
}

function merge(a: Memory, b: Memory, options: ResolveOptions): Pick<ResolvedContradiction, "changed" | "added"> {
  const { mergedId, now } = options;
  if (mergedId === undefined || mergedId === "")
    throw new InvalidOptionError("mergedId", mergedId, "the id of the merged memory");
  const merged = mergeMemories(a, b, { ...options, mergedId });
  return { changed: [endedBy(a, mergedId, now), endedBy(b, mergedId, now)], added: [merged] };
}
