import { hashText } from "../../../language/terms.ts";
import { type ColumnSink, type ColumnSource, grow, share } from "./columns.ts";

const FULL = 0.6;
const QUOTE = 0x22;
const ASCII = /^(?!")[\0-\x7f]*$/;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The ids of documents as bytes, and the newest document of each id: an open-addressed table of their hashes. */
export class Ids {
  #bytes: Uint8Array = new Uint8Array(256);
  /** Offsets of the ids in the bytes, with one more at the end. */
  #starts: Uint32Array = new Uint32Array(16);
  #hashes: Uint32Array = new Uint32Array(16);
  #length = 0;
  /** Documents + 1 by hash; 0 for an empty slot. Built when it is first needed. */
  #table: Uint32Array = new Uint32Array(0);

  get length(): number {
    return this.#length;
  }

  get(document: number): string {
    const bytes = this.#bytes.subarray(this.#starts[document], this.#starts[document + 1]);
    // Browsers decode no shared memory, so the bytes are copied.
    if (bytes[0] === QUOTE) return JSON.parse(decoder.decode(bytes.slice())) as string;
    return String.fromCharCode(...bytes);
  }

  /** Adds the id of the next document. Returns the document that had the id before; -1 if there is none. */
  add(id: string): number {
    const document = this.#length;
    const hash = hashText(id);
    // As JSON, other texts are well-formed UTF-8 too, even if the id is not.
    const bytes = encoder.encode(ASCII.test(id) ? id : JSON.stringify(id));
    const start = this.#starts[document] as number;
    this.#bytes = grow(this.#bytes, start + bytes.length);
    this.#bytes.set(bytes, start);
    this.#starts = grow(this.#starts, document + 2);
    this.#starts[document + 1] = start + bytes.length;
    this.#hashes = grow(this.#hashes, document + 1);
    this.#hashes[document] = hash;
    this.#reserve();
    const place = this.#place(hash, id);
    const before = (this.#table[place] as number) - 1;
    this.#table[place] = document + 1;
    this.#length += 1;
    return before;
  }

  /** Keeps the given documents, of which no two have the same id, and renumbers them in order. */
  keep(kept: Uint32Array): void {
    let end = 0;
    kept.forEach((document, renumbered) => {
      const [start, next] = [this.#starts[document] as number, this.#starts[document + 1] as number];
      this.#bytes.copyWithin(end, start, next);
      this.#starts[renumbered] = end;
      this.#hashes[renumbered] = this.#hashes[document] as number;
      end += next - start;
    });
    this.#starts[kept.length] = end;
    this.#length = kept.length;
    this.#table = new Uint32Array(0);
  }

  /** Moves the ids to arrays that threads can share. */
  share(): void {
    this.#starts = share(this.#starts);
    this.#bytes = share(this.#bytes);
    this.#hashes = share(this.#hashes);
  }

  pack(writer: ColumnSink): void {
    writer.add(this.#starts.subarray(0, this.#length + 1));
    writer.add(this.#bytes.subarray(0, this.#starts[this.#length]));
    writer.add(this.#hashes.subarray(0, this.#length));
  }

  /** Loads the output of {@link pack}. The ids must be distinct. */
  unpack(reader: ColumnSource): void {
    this.#starts = reader.next(Uint32Array);
    this.#bytes = reader.next(Uint8Array);
    this.#hashes = reader.next(Uint32Array);
    this.#length = this.#hashes.length;
    this.#table = new Uint32Array(0);
  }

  get bytes(): number {
    return this.#bytes.length + 4 * (this.#starts.length + this.#hashes.length + this.#table.length);
  }

  /** The slot of an id, or the empty one in which it belongs. */
  #place(hash: number, id: string): number {
    const mask = this.#table.length - 1;
    let at = hash & mask;
    for (;;) {
      const document = (this.#table[at] as number) - 1;
      if (document < 0 || (this.#hashes[document] === hash && this.get(document) === id)) return at;
      at = (at + 1) & mask;
    }
  }

  /** Grows the table for one more id. */
  #reserve(): void {
    if (this.#length + 1 < FULL * this.#table.length) return;
    const old = this.#table;
    let size = 64;
    while (size * FULL <= 1.5 * (this.#length + 1)) size *= 2;
    this.#table = new Uint32Array(size);
    // Replaced documents are not in the old table. If there is none, no document is replaced.
    if (old.length === 0) for (let document = 0; document < this.#length; document += 1) this.#insert(document);
    else for (const entry of old) if (entry > 0) this.#insert(entry - 1);
  }

  #insert(document: number): void {
    const mask = this.#table.length - 1;
    let at = (this.#hashes[document] as number) & mask;
    while (this.#table[at] !== 0) at = (at + 1) & mask;
    this.#table[at] = document + 1;
  }
}

/** Number of an unknown name. No document has it. */
export const UNKNOWN = -2;

/** Assigns numbers to names, so that a document stores one number per name. */
export class Names {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];

  get size(): number {
    return this.#names.length;
  }

  /** The number of a name, assigned if it is new; -1 for no name. */
  add(name: string | undefined): number {
    if (name === undefined) return -1;
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#names.length);
    this.#names.push(name);
    return this.#names.length - 1;
  }

  /** The number of a known name; {@link UNKNOWN} for others; -1 for no name. */
  find(name: string | undefined): number {
    return name === undefined ? -1 : (this.#numbers.get(name) ?? UNKNOWN);
  }

  name(number: number): string | undefined {
    return this.#names[number];
  }

  all(): readonly string[] {
    return this.#names;
  }
}
