import type { SpokenUnit } from "./spoken-units.ts";

/**
 * How many units at the start of a list were said before. The list goes on from what was said, repeats it from its
 * beginning, or lies within it; a single thing in the middle may be coincidence and is not taken for the same.
 */
export function countKnown(said: readonly SpokenUnit[], list: readonly SpokenUnit[]): number {
  const first = list[0];
  if (first === undefined) return 0;
  let most = countContinued(said, list);
  for (let from = said.length - 1; from >= 0; from -= 1) {
    if (said[from]?.key !== first.key) continue;
    const length = commonLength(said, from, list);
    if (length > most && isSame(from, list, length)) most = length;
  }
  return most;
}

/** Half of a message is not the same message. */
function isSame(from: number, list: readonly SpokenUnit[], length: number): boolean {
  if (length === list.length) return true;
  return list[length]?.message !== list[length - 1]?.message && (from === 0 || length > 1);
}

/**
 * How much of a list leads up to the last thing that was said. What lies between may be missing in it: many applications
 * keep only the texts of a conversation.
 */
export function countContinued(said: readonly SpokenUnit[], list: readonly SpokenUnit[]): number {
  const last = said.at(-1)?.key;
  for (let length = Math.min(said.length, list.length); length > 0; length -= 1) {
    if (list[length - 1]?.key === last && liesWithin(said, list, length)) return length;
  }
  return 0;
}

function liesWithin(said: readonly SpokenUnit[], list: readonly SpokenUnit[], length: number): boolean {
  let found = 0;
  for (const { key } of said) if (found < length && key === list[found]?.key) found += 1;
  return found === length;
}

/** How long a list and what was said from there on are the same. */
function commonLength(said: readonly SpokenUnit[], from: number, list: readonly SpokenUnit[]): number {
  let length = 0;
  while (length < list.length && said[from + length]?.key === list[length]?.key) length += 1;
  return length;
}

/** Whether a list begins with another one, as a whole. */
export function beginsWith(list: readonly SpokenUnit[], head: readonly SpokenUnit[]): boolean {
  return head.length <= list.length && commonLength(list, 0, head) === head.length;
}
