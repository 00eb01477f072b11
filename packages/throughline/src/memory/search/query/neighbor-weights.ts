import { LINK, ROLE } from "../index/neighbors.ts";
import type { SearchIndex } from "../search-index.ts";

/** Weight of a turn for following and for preceding turns within reach, divided by the distance. */
const FOLLOWING = 0.5;
const PRECEDING = 0.35;
/** Weight of a user's turn for the assistant's reply to it, which is about the same and need not repeat its words. */
const REPLY = 1;
/** Maximum distance and number of steps in each direction. Copies of a turn have the same position. */
const REACH = 4;
/** Longer turns contribute less per word, because a page is weak evidence for the line next to it. */
const LENDING_LENGTH = 40;

/**
 * The turns within reach of a document with their weights. `lend` and `borrow` write into the same arrays, because they
 * are called for many documents; each returns the number of valid elements.
 */
export class NeighborWeights {
  readonly documents: Int32Array = new Int32Array(2 * REACH);
  readonly weights: Float64Array = new Float64Array(2 * REACH);
  readonly isEmpty: boolean;
  readonly #links: Int32Array;

  constructor({ neighbors }: SearchIndex) {
    this.isEmpty = neighbors.isEmpty;
    this.#links = neighbors.links;
  }

  /** The weights of a document for its neighbors. */
  lend(document: number): number {
    const links = this.#links;
    const start = LINK.size * document;
    const position = links[start + LINK.position] as number;
    const own = links[start + LINK.lengthAndRole] as number;
    const lent = lending(own);
    let count = 0;
    let next = links[start + LINK.after] as number;
    for (let step = 0; step < REACH && next >= 0; step += 1) {
      const at = LINK.size * next;
      const distance = Math.max(1, (links[at + LINK.position] as number) - position);
      if (distance > REACH) break;
      this.documents[count] = next;
      this.weights[count] = lent * followingWeight(own, links[at + LINK.lengthAndRole] as number, distance);
      count += 1;
      next = links[at + LINK.after] as number;
    }
    next = links[start + LINK.before] as number;
    for (let step = 0; step < REACH && next >= 0; step += 1) {
      const at = LINK.size * next;
      const distance = Math.max(1, position - (links[at + LINK.position] as number));
      if (distance > REACH) break;
      this.documents[count] = next;
      this.weights[count] = (PRECEDING * lent) / distance;
      count += 1;
      next = links[at + LINK.before] as number;
    }
    return count;
  }

  /** The weights of a document's neighbors for it. */
  borrow(document: number): number {
    const links = this.#links;
    const start = LINK.size * document;
    const position = links[start + LINK.position] as number;
    const own = links[start + LINK.lengthAndRole] as number;
    let count = 0;
    let next = links[start + LINK.before] as number;
    for (let step = 0; step < REACH && next >= 0; step += 1) {
      const at = LINK.size * next;
      const distance = Math.max(1, position - (links[at + LINK.position] as number));
      if (distance > REACH) break;
      const other = links[at + LINK.lengthAndRole] as number;
      this.documents[count] = next;
      this.weights[count] = lending(other) * followingWeight(other, own, distance);
      count += 1;
      next = links[at + LINK.before] as number;
    }
    next = links[start + LINK.after] as number;
    for (let step = 0; step < REACH && next >= 0; step += 1) {
      const at = LINK.size * next;
      const distance = Math.max(1, (links[at + LINK.position] as number) - position);
      if (distance > REACH) break;
      this.documents[count] = next;
      this.weights[count] = (PRECEDING * lending(links[at + LINK.lengthAndRole] as number)) / distance;
      count += 1;
      next = links[at + LINK.after] as number;
    }
    return count;
  }
}

/** Weight of a turn for one after it, from their lengths and roles. */
function followingWeight(own: number, next: number, distance: number): number {
  const isReply = (own & ROLE.mask) === ROLE.user && (next & ROLE.mask) === ROLE.assistant;
  return distance === 1 && isReply ? REPLY : FOLLOWING / distance;
}

function lending(lengthAndRole: number): number {
  const length = lengthAndRole >> ROLE.bits;
  return length <= LENDING_LENGTH ? 1 : LENDING_LENGTH / length;
}
