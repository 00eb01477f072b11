import type { WordLimits } from "./ledger-limits.ts";

/** Keeps the first few and the newest elements of a list: the start and the current state. */
export function keepBounded<T>(list: readonly T[], max: number, first = 0): readonly T[] {
  if (list.length <= max) return list;
  return [...list.slice(0, first), ...list.slice(list.length - (max - first))];
}

/** The same for words of the user, with a limit on their characters too. */
export function keepWords<T extends { readonly text: string }>(list: readonly T[], limits: WordLimits): readonly T[] {
  let characters = list.reduce((sum, { text }) => sum + text.length, 0);
  const first = Math.min(limits.first, list.length);
  let from = first;
  while (list.length - (from - first) > limits.count || (characters > limits.characters && from < list.length)) {
    characters -= list[from]?.text.length ?? 0;
    from += 1;
  }
  return from === first ? list : [...list.slice(0, first), ...list.slice(from)];
}
