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

/** Calls for each two turns within reach of each other, once each way. */
export function eachPair(
  index: SearchIndex,
  onPair: (document: number, neighbour: number, weight: number) => void,
): void {
  const { documents, neighbours } = index;
  for (let document = 0; document < documents.length; document += 1) {
    for (let next = neighbours.after(document); next >= 0; next = neighbours.after(next)) {
      const distance = neighbours.distance(document, next);
      if (distance > REACH) break;
      onPair(document, next, (FOLLOWING * lending(index, document)) / distance);
      onPair(next, document, (PRECEDING * lending(index, next)) / distance);
    }
  }
}

function lending({ documents }: SearchIndex, document: number): number {
  return Math.min(1, LENDING_LENGTH / Math.max(1, documents.ownLength(document)));
}
