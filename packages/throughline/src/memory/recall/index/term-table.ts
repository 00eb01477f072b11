import type { ColumnReader, ColumnWriter } from "./columns.ts";
import { grow } from "./resize-array.ts";

const FULL = 0.6;

/** Assigns numbers to stems, from 0 on: an open-addressed table of their hashes. */
export class TermTable {
  #hashes: Uint32Array = new Uint32Array(1024);
  #ordinals: Uint32Array = new Uint32Array(1024);
  /** Hashes in the order of their numbers. */
  #numbered: Uint32Array = new Uint32Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of a stem; -1 if it is unknown. */
  find(hash: number): number {
    const at = this.#place(hash);
    return this.#hashes[at] === hash ? (this.#ordinals[at] as number) : -1;
  }

  /** The number of a stem, assigned if it is new. */
  add(hash: number): number {
    let at = this.#place(hash);
    if (this.#hashes[at] === hash) return this.#ordinals[at] as number;
    if (this.#size >= FULL * this.#hashes.length) {
      this.#widen();
      at = this.#place(hash);
    }
    this.#hashes[at] = hash;
    this.#ordinals[at] = this.#size;
    this.#numbered = grow(this.#numbered, this.#size + 1);
    this.#numbered[this.#size] = hash;
    this.#size += 1;
    return this.#size - 1;
  }

  /** The hash of a stem by its number. */
  hash(number: number): number {
    return this.#numbered[number] as number;
  }

  pack(writer: ColumnWriter): void {
    for (const column of [this.#hashes, this.#ordinals]) writer.add(column);
    writer.add(this.#numbered.subarray(0, this.#size));
  }

  /** Takes over what {@link pack} has written. */
  unpack(reader: ColumnReader): void {
    this.#hashes = reader.next(Uint32Array);
    this.#ordinals = reader.next(Uint32Array);
    this.#numbered = reader.next(Uint32Array);
    this.#size = this.#numbered.length;
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#hashes.byteLength + this.#ordinals.byteLength + this.#numbered.byteLength;
  }

  #place(hash: number): number {
    const mask = this.#hashes.length - 1;
    let at = hash & mask;
    while (this.#hashes[at] !== 0 && this.#hashes[at] !== hash) at = (at + 1) & mask;
    return at;
  }

  #widen(): void {
    const hashes = this.#hashes;
    const ordinals = this.#ordinals;
    this.#hashes = new Uint32Array(2 * hashes.length);
    this.#ordinals = new Uint32Array(2 * hashes.length);
    for (let at = 0; at < hashes.length; at += 1) {
      const hash = hashes[at] as number;
      if (hash === 0) continue;
      const place = this.#place(hash);
      this.#hashes[place] = hash;
      this.#ordinals[place] = ordinals[at] as number;
    }
  }
}
