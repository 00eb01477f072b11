import type { SearchIndex } from "../search-index.ts";

/** What a turn counts for those that follow within reach and for those before, through the distance. */
const FOLLOWING = 0.5;
const PRECEDING = 0.35;
const REACH = 4;
/** A turn of more words lends less of each: a page says little of the line beside it. */
const LENDING_LENGTH = 40;

/** Called with a neighbour, and how much a document counts for it. */
export type OnNeighbour = (neighbour: number, weight: number) => void;

/** Calls for each turn within reach, with how much the document's words and meaning count for it. */
export function eachNeighbour(index: SearchIndex, document: number, onNeighbour: OnNeighbour): void {
  const { neighbours } = index;
  const lent = lending(index, document);
  for (let next = neighbours.after(document); next >= 0; next = neighbours.after(next)) {
    const distance = neighbours.distance(document, next);
    if (distance > REACH) break;
    onNeighbour(next, (FOLLOWING * lent) / distance);
  }
  for (let next = neighbours.before(document); next >= 0; next = neighbours.before(next)) {
    const distance = neighbours.distance(document, next);
    if (distance > REACH) break;
    onNeighbour(next, (PRECEDING * lent) / distance);
  }
}

/**
 * The mean of each document's number and its neighbours', less with their distance. One that has none (not a number) stays
 * without. A loop over all documents: written for speed.
 */
export function smooth(index: SearchIndex, own: Float32Array): Float32Array {
  const { following, isEmpty } = index.neighbours;
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
        const weight = (FOLLOWING * lending(index, document)) / distance;
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

function lending({ documents }: SearchIndex, document: number): number {
  return Math.min(1, LENDING_LENGTH / Math.max(1, documents.ownLength(document)));
}
