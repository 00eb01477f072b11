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
    const count = this.#walk(document, LINK.after, 0);
    const lent = this.#lending(document);
    for (let at = 0; at < count; at += 1) {
      const distance = this.weights[at] as number;
      this.weights[at] = lent * this.#followingWeight(document, this.documents[at] as number, distance);
    }
    const all = this.#walk(document, LINK.before, count);
    for (let at = count; at < all; at += 1) this.weights[at] = (PRECEDING * lent) / (this.weights[at] as number);
    return all;
  }

  /** The weights of a document's neighbors for it. */
  borrow(document: number): number {
    const count = this.#walk(document, LINK.before, 0);
    for (let at = 0; at < count; at += 1) {
      const before = this.documents[at] as number;
      const distance = this.weights[at] as number;
      this.weights[at] = this.#lending(before) * this.#followingWeight(before, document, distance);
    }
    const all = this.#walk(document, LINK.after, count);
    for (let at = count; at < all; at += 1) {
      const distance = this.weights[at] as number;
      this.weights[at] = (PRECEDING * this.#lending(this.documents[at] as number)) / distance;
    }
    return all;
  }

  /** Writes the turns in one direction and their distances after the first `count` elements. */
  #walk(document: number, direction: number, count: number): number {
    const links = this.#links;
    const position = links[LINK.size * document + LINK.position] as number;
    let end = count;
    let next = links[LINK.size * document + direction] as number;
    for (let step = 0; step < REACH && next >= 0; step += 1) {
      const start = LINK.size * next;
      const distance = Math.max(1, Math.abs((links[start + LINK.position] as number) - position));
      if (distance > REACH) break;
      this.documents[end] = next;
      this.weights[end] = distance;
      end += 1;
      next = links[start + direction] as number;
    }
    return end;
  }

  #followingWeight(document: number, next: number, distance: number): number {
    const isReply =
      ((this.#links[LINK.size * document + LINK.lengthAndRole] as number) & ROLE.mask) === ROLE.user &&
      ((this.#links[LINK.size * next + LINK.lengthAndRole] as number) & ROLE.mask) === ROLE.assistant;
    return distance === 1 && isReply ? REPLY : FOLLOWING / distance;
  }

  #lending(document: number): number {
    const length = (this.#links[LINK.size * document + LINK.lengthAndRole] as number) >> ROLE.bits;
    return length <= LENDING_LENGTH ? 1 : LENDING_LENGTH / length;
  }
}
