import { digest } from "../../internal/digest.ts";
import type { Contradiction, Memory, Turn } from "../../ports/memory.ts";

/**
 * What a memory says and how it stands, in a few characters. How often it was used does not count, nor by which words,
 * nor what else it belongs to: an erased memory leaves the links of all others.
 */
export function digestMemory(memory: Memory): string {
  const { usage: _, heard: __, links: ___, supersedes: ____, supersededBy: _____, ...rest } = memory;
  return digest(rest);
}

/** The same of a contradiction. */
export function digestContradiction(contradiction: Contradiction): string {
  return digest(contradiction);
}

/** The same of a turn. Which facts in it are still to be remembered does not count. */
export function digestTurn({ pending: _, ...turn }: Turn): string {
  return digest(turn);
}
