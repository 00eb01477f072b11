import { digest } from "../../internal/json.ts";
import type { Contradiction, Memory, Utterance } from "../../ports/memory.ts";

/**
 * Short hash of a memory's content and state. Usage counts, search terms and references to other memories are left out:
 * recall changes the first two, and purging a memory removes its id from the others.
 */
export function digestMemory(memory: Memory): string {
  const { usage: _, heard: __, links: ___, supersedes: ____, supersededBy: _____, ...rest } = memory;
  return digest(rest);
}

/** Short hash of a memory, turn or contradiction. */
export function digestOf(item: Memory | Contradiction | Utterance): string {
  if (isMemory(item)) return digestMemory(item);
  return isTurn(item) ? digestTurn(item) : digestContradiction(item);
}

/** True for a memory. */
export function isMemory(item: Memory | Contradiction | Utterance): item is Memory {
  return "levels" in item;
}

/** True for a turn. */
export function isTurn(item: Memory | Contradiction | Utterance): item is Utterance {
  return "sessionId" in item;
}

/** Short hash of a contradiction. */
export function digestContradiction(contradiction: Contradiction): string {
  return digest(contradiction);
}

/** Short hash of a turn, without its facts that are not saved yet. */
export function digestTurn({ pending: _, ...turn }: Utterance): string {
  return digest(turn);
}
