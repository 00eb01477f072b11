import type { Documents } from "./documents.ts";
import { grow } from "./resize-array.ts";

/** The previous and the next turn of each turn in its session. */
export class Neighbors {
  readonly #documents: Documents;
  #before: Int32Array = new Int32Array(16);
  #after: Int32Array = new Int32Array(16);
  readonly #turns = new Map<number, number[]>();
  readonly #unordered = new Set<number>();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** Adds a document, which `documents` already contains. */
  add(document: number): void {
    this.#before = grow(this.#before, document + 1);
    this.#after = grow(this.#after, document + 1);
    this.#before[document] = -1;
    this.#after[document] = -1;
    const session = this.#documents.session(document);
    if (!this.#documents.isTurn(document) || session < 0 || Number.isNaN(this.#documents.position(document))) return;
    const turns = this.#turns.get(session);
    if (turns === undefined) {
      this.#turns.set(session, [document]);
      return;
    }
    const last = turns[turns.length - 1] as number;
    turns.push(document);
    // Turns are nearly always added in order. If not, the session is sorted before the next query.
    if (this.#documents.position(last) < this.#documents.position(document)) this.#link(last, document);
    else this.#unordered.add(session);
  }

  /** Removes a replaced document. Its session is sorted again before the next query. */
  drop(document: number): void {
    const session = this.#documents.session(document);
    if (this.#turns.has(session)) this.#unordered.add(session);
  }

  /** Rebuilds everything after documents were renumbered. */
  reset(): void {
    this.#turns.clear();
    this.#unordered.clear();
    for (let document = 0; document < this.#documents.length; document += 1) this.add(document);
  }

  /** Sorts the sessions whose turns are out of order. */
  order(): void {
    const documents = this.#documents;
    for (const session of this.#unordered) {
      const turns = (this.#turns.get(session) ?? []).filter((document) => !documents.isReplaced(document));
      turns.sort(
        (a, b) => documents.position(a) - documents.position(b) || (documents.id(a) < documents.id(b) ? -1 : 1),
      );
      turns.forEach((document, at) => {
        this.#before[document] = turns[at - 1] ?? -1;
        this.#after[document] = turns[at + 1] ?? -1;
      });
      this.#turns.set(session, turns);
    }
    this.#unordered.clear();
  }

  /** True if there are no turns. */
  get isEmpty(): boolean {
    return this.#turns.size === 0;
  }

  before(document: number): number {
    return this.#before[document] as number;
  }

  after(document: number): number {
    return this.#after[document] as number;
  }

  /** The next turn of each document, -1 if there is none, for loops over all documents. */
  get following(): Int32Array {
    return this.#after;
  }

  /** Distance of two turns in a session, at least 1. */
  distance(a: number, b: number): number {
    return Math.max(1, Math.abs(this.#documents.position(a) - this.#documents.position(b)));
  }

  #link(a: number, b: number): void {
    this.#after[a] = b;
    this.#before[b] = a;
  }
}
