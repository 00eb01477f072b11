import type { Documents } from "./documents.ts";
import { grow } from "./resize-array.ts";

/** Fields of a document in {@link Neighbors.links}: the previous and the next turn, and what their weights need. */
export const LINK = { size: 4, before: 0, after: 1, position: 2, lengthAndRole: 3 } as const;
/** Lowest bits of `lengthAndRole`; the others are the number of words. */
export const ROLE = { bits: 2, mask: 3, user: 1, assistant: 2 } as const;
const MAX_LENGTH = 0x0fffffff;
const MAX_POSITION = 0x7fffffff;

/** The previous and the next turn of each turn in its session. */
export class Neighbors {
  readonly #documents: Documents;
  /** Four numbers per document, next to each other because they are read together; see {@link LINK}. */
  #links: Int32Array = new Int32Array(16);
  readonly #turns = new Map<number, number[]>();
  readonly #unordered = new Set<number>();

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** Adds a document, which `documents` already contains. */
  add(document: number): void {
    this.#links = grow(this.#links, LINK.size * (document + 1));
    const position = this.#documents.position(document);
    const length = Math.min(MAX_LENGTH, this.#documents.ownLength(document));
    const start = LINK.size * document;
    this.#links[start + LINK.before] = -1;
    this.#links[start + LINK.after] = -1;
    this.#links[start + LINK.position] = Number.isNaN(position) ? 0 : Math.min(MAX_POSITION, position);
    this.#links[start + LINK.lengthAndRole] = (length << ROLE.bits) | this.#role(document);
    const session = this.#documents.session(document);
    if (!this.#documents.isTurn(document) || session < 0 || Number.isNaN(position)) return;
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
        this.#links[LINK.size * document + LINK.before] = turns[at - 1] ?? -1;
        this.#links[LINK.size * document + LINK.after] = turns[at + 1] ?? -1;
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
    return this.#links[LINK.size * document + LINK.before] as number;
  }

  after(document: number): number {
    return this.#links[LINK.size * document + LINK.after] as number;
  }

  /** The links of all documents, for loops over them. */
  get links(): Int32Array {
    return this.#links;
  }

  #role(document: number): number {
    const { roles } = this.#documents;
    const role = this.#documents.role(document);
    if (role === roles.find("user")) return ROLE.user;
    return role === roles.find("assistant") ? ROLE.assistant : 0;
  }

  #link(a: number, b: number): void {
    this.#links[LINK.size * a + LINK.after] = b;
    this.#links[LINK.size * b + LINK.before] = a;
  }
}
