import type { PathParts } from "./path-parts.ts";
import type { UseIndex } from "./use-index.ts";

/** A file with a similar path, and its share of the evidence of all such files. */
export interface SimilarPath {
  readonly id: number;
  readonly share: number;
}

const MAX_KIN = 20;
/** Maximum number of files that are compared per word, the newest first. */
const MAX_BY_WORD = 200;
const MAX_COMPARED = 600;

/**
 * Used files with the most similar paths. Rare words weigh more. The path may be used with the same files as they are.
 */
export function findSimilarPaths(index: UseIndex, { path, words }: PathParts): readonly SimilarPath[] {
  const own = index.idOf(path);
  const similar = [...sharedWords(index, words)]
    .filter(([id]) => id !== own && index.usesOf(id).length > 0)
    .map(([id, shared]) => ({ id, likeness: shared ** 2 / (allWords(index, id) + 1) }))
    .sort((a, b) => b.likeness - a.likeness || a.id - b.id)
    .slice(0, MAX_KIN);
  const total = similar.reduce((sum, { likeness }) => sum + likeness, 0);
  return total === 0 ? [] : similar.map(({ id, likeness }) => ({ id, share: likeness / total }));
}

/** Total rarity of these words in the path of each file. */
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
