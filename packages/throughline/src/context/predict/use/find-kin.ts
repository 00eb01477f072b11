import type { PathParts } from "./path-parts.ts";
import type { UseIndex } from "./use-index.ts";

/** A file whose path is much like that of another, and its part of what all such files tell. */
export interface Kin {
  readonly id: number;
  readonly share: number;
}

const MAX_KIN = 20;
/** Files that are compared: the newest with each word, the rarest words first. */
const MAX_BY_WORD = 200;
const MAX_COMPARED = 600;

/** The used files whose paths share the most with a path, rare words weighing more. What they were used with, it may be too. */
export function findKin(index: UseIndex, { path, words }: PathParts): readonly Kin[] {
  const own = index.idOf(path);
  const kin = [...sharedWords(index, words)]
    .filter(([id]) => id !== own && index.usesOf(id).length > 0)
    .map(([id, shared]) => ({ id, likeness: shared ** 2 / (allWords(index, id) + 1) }))
    .sort((a, b) => b.likeness - a.likeness || a.id - b.id)
    .slice(0, MAX_KIN);
  const total = kin.reduce((sum, { likeness }) => sum + likeness, 0);
  return total === 0 ? [] : kin.map(({ id, likeness }) => ({ id, share: likeness / total }));
}

/** How much of these words the paths of files have. */
function sharedWords(index: UseIndex, words: readonly string[]): ReadonlyMap<number, number> {
  const shared = new Map<number, number>();
  const rarest = words
    .map((word) => ({ files: index.withWord(word), rarity: index.rarity(word) }))
    .sort((a, b) => b.rarity - a.rarity);
  let left = MAX_COMPARED;
  for (const { files, rarity } of rarest) {
    if (left <= 0) break;
    const some = files.slice(-Math.min(MAX_BY_WORD, left));
    for (const id of some) shared.set(id, (shared.get(id) ?? 0) + rarity);
    left -= some.length;
  }
  return shared;
}

function allWords(index: UseIndex, id: number): number {
  return index.files[id]?.words.reduce((sum, word) => sum + index.rarity(word), 0) ?? 0;
}
