import { type ColumnSink, type ColumnSource, grow, share } from "./columns.ts";
import type { Documents } from "./documents.ts";

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
  /** By session: its last turn + 1; 0 if it has none. */
  #last: Uint32Array = new Uint32Array(16);
  #isEmpty = true;
  /** By session: turns that are not linked yet, because they were not added in order. */
  readonly #unordered = new Map<number, number[]>();

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
    this.#isEmpty = false;
    this.#last = grow(this.#last, session + 1);
    const last = (this.#last[session] as number) - 1;
    // Turns are nearly always added in order. If not, the session is sorted before the next query.
    const isNext = last < 0 || this.#documents.position(last) < position;
    const unordered = this.#unordered.get(session);
    if (unordered !== undefined) unordered.push(document);
    else if (!isNext) this.#unordered.set(session, [document]);
    else {
      if (last >= 0) this.#link(last, document);
      this.#last[session] = document + 1;
    }
  }

  /** Removes a replaced document. Its session is sorted again before the next query. */
  drop(document: number): void {
    const session = this.#documents.session(document);
    if (session >= 0 && this.#documents.isTurn(document) && !this.#unordered.has(session)) {
      this.#unordered.set(session, []);
    }
  }

  /** Rebuilds everything after documents were renumbered. */
  reset(): void {
    this.#last.fill(0);
    this.#isEmpty = true;
    this.#unordered.clear();
    for (let document = 0; document < this.#documents.length; document += 1) this.add(document);
  }

  /** Sorts the sessions whose turns are out of order. */
  order(): void {
    const documents = this.#documents;
    for (const [session, added] of this.#unordered) {
      const turns = [...this.#linked(session), ...added].filter((document) => !documents.isReplaced(document));
      turns.sort(
        (a, b) => documents.position(a) - documents.position(b) || (documents.id(a) < documents.id(b) ? -1 : 1),
      );
      turns.forEach((document, at) => {
        this.#links[LINK.size * document + LINK.before] = turns[at - 1] ?? -1;
        this.#links[LINK.size * document + LINK.after] = turns[at + 1] ?? -1;
      });
      this.#last[session] = (turns.at(-1) ?? -1) + 1;
    }
    this.#unordered.clear();
  }

  /** The linked turns of a session, the last first. */
  #linked(session: number): readonly number[] {
    const turns: number[] = [];
    for (let turn = (this.#last[session] ?? 0) - 1; turn >= 0; turn = this.before(turn)) turns.push(turn);
    return turns;
  }

  /** Hands over the links in arrays that threads can share. */
  share(writer: ColumnSink): void {
    this.#links = share(this.#links);
    this.#last = share(this.#last);
    this.pack(writer);
  }

  /** Packs all links. */
  pack(writer: ColumnSink): void {
    this.order();
    writer.add(this.#links.subarray(0, LINK.size * this.#documents.length));
    writer.add(this.#last);
  }

  /** Loads the output of {@link pack}. */
  unpack(reader: ColumnSource): void {
    this.#links = reader.next(Int32Array);
    this.#last = reader.next(Uint32Array);
    this.#isEmpty = this.#last.every((last) => last === 0);
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#links.byteLength + this.#last.byteLength;
  }

  /** True if there are no turns. */
  get isEmpty(): boolean {
    return this.#isEmpty;
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
