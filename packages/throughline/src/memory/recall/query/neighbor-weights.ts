import type { SearchIndex } from "../search-index.ts";

/** Weight of a turn for following and for preceding turns within reach, divided by the distance. */
const FOLLOWING = 0.5;
const PRECEDING = 0.35;
/** Weight of a user's turn for the assistant's reply to it, which is about the same and need not repeat its words. */
const REPLY = 1;
const REACH = 4;
/** Longer turns contribute less per word, because a page is weak evidence for the line next to it. */
const LENDING_LENGTH = 40;

/** Called with a neighbor, and the weight of a document for it. */
export type OnNeighbor = (neighbor: number, weight: number) => void;

/** Calls `onNeighbor` for each turn within reach, with the weight of the document's words and meaning for it. */
export function eachNeighbor(index: SearchIndex, document: number, onNeighbor: OnNeighbor): void {
  const { neighbors } = index;
  const lent = lending(index, document);
  for (let next = neighbors.after(document); next >= 0; next = neighbors.after(next)) {
    const distance = neighbors.distance(document, next);
    if (distance > REACH) break;
    onNeighbor(next, lent * followingWeight(index, document, next, distance));
  }
  for (let next = neighbors.before(document); next >= 0; next = neighbors.before(next)) {
    const distance = neighbors.distance(document, next);
    if (distance > REACH) break;
    onNeighbor(next, (PRECEDING * lent) / distance);
  }
}

/**
 * Weighted mean of each document's score and its neighbors' scores; weights fall with the distance. Documents without a
 * score (NaN) keep none. A loop over all documents, written for speed.
 */
export function smooth(index: SearchIndex, own: Float32Array): Float32Array {
  const { following, isEmpty } = index.neighbors;
  if (isEmpty) return own;
  const { positions } = index.documents;
  const sums = own.slice();
  const weights = new Float32Array(own.length).fill(1);
  for (let document = 0; document < own.length; document += 1) {
    const mine = own[document] as number;
    const position = positions[document] as number;
    for (let next = following[document] as number; next >= 0; next = following[next] as number) {
      const distance = Math.max(1, Math.abs((positions[next] as number) - position));
      if (distance > REACH) break;
      const yours = own[next] as number;
      if (!Number.isNaN(mine)) {
        const weight = lending(index, document) * followingWeight(index, document, next, distance);
        sums[next] = (sums[next] as number) + weight * mine;
        weights[next] = (weights[next] as number) + weight;
      }
      if (!Number.isNaN(yours)) {
        const weight = (PRECEDING * lending(index, next)) / distance;
        sums[document] = (sums[document] as number) + weight * yours;
        weights[document] = (weights[document] as number) + weight;
      }
    }
  }
  for (let document = 0; document < sums.length; document += 1) {
    sums[document] = (sums[document] as number) / (weights[document] as number);
  }
  return sums;
}

function followingWeight({ documents }: SearchIndex, document: number, next: number, distance: number): number {
  return distance === 1 && documents.isReply(next, document) ? REPLY : FOLLOWING / distance;
}

function lending({ documents }: SearchIndex, document: number): number {
  return Math.min(1, LENDING_LENGTH / Math.max(1, documents.ownLength(document)));
}
