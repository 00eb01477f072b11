/** Limits on the first and the newest entries of a kind. */
export interface WordLimits {
  readonly count: number;
  /** Number of entries to keep from the start. */
  readonly first: number;
  /** Maximum characters of all entries together. */
  readonly characters: number;
}

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

/** Limits of a ledger for sessions of any length. Texts in characters. */
export const LIMITS = {
  requests: { count: 400, first: 20, characters: 400_000 },
  constraints: { count: 200, characters: 80_000 },
  files: 250,
  changes: 40,
  changedLines: 6,
  changedLine: 140,
  commands: 80,
  errors: 30,
  statements: { count: 400, characters: 60_000 },
  todos: 60,
  names: 2_000,
  pending: 60,
  touches: 40,
  request: 4_000,
  sentence: 320,
  rule: 640,
  refused: 80,
  path: 300,
  command: 320,
  gist: 160,
  says: 200,
  resolved: 1_000,
  todo: 240,
  todoId: 80,
  name: 160,
  callId: 200,
  toolName: 100,
  partId: 240,
} as const;
