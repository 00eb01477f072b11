import type { ColumnSink, ColumnSource } from "./columns.ts";
import { grow, growNumbers, type Numbers, numbersLike, share } from "./resize-array.ts";

const FULL = 0.6;

/** Assigns numbers to stems, from 0 on: an open-addressed table of their hashes. */
export class TermTable {
  /** Numbers + 1 by hash; 0 for an empty slot. */
  #slots: Numbers = new Uint16Array(1024);
  /** Hashes in the order of their numbers. */
  #hashes: Uint32Array = new Uint32Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of a stem; -1 if it is unknown. */
  find(hash: number): number {
    return (this.#slots[this.#place(hash)] as number) - 1;
  }

  /** The number of a stem, assigned if it is new. */
  add(hash: number): number {
    let at = this.#place(hash);
    const known = (this.#slots[at] as number) - 1;
    if (known >= 0) return known;
    if (this.#size >= FULL * this.#slots.length) {
      this.#widen();
      at = this.#place(hash);
    }
    this.#slots = growNumbers(this.#slots, 0, this.#size + 1);
    this.#slots[at] = this.#size + 1;
    this.#hashes = grow(this.#hashes, this.#size + 1);
    this.#hashes[this.#size] = hash;
    this.#size += 1;
    return this.#size - 1;
  }

  /** The hash of a stem by its number. */
  hash(number: number): number {
    return this.#hashes[number] as number;
  }

  /** Moves the table to arrays that threads can share. */
  share(): void {
    this.#slots = share(this.#slots);
    this.#hashes = share(this.#hashes);
  }

  pack(writer: ColumnSink): void {
    writer.addNumbers(this.#slots);
    writer.add(this.#hashes.subarray(0, this.#size));
  }

  /** Loads the output of {@link pack}. */
  unpack(reader: ColumnSource): void {
    this.#slots = reader.numbers();
    this.#hashes = reader.next(Uint32Array);
    this.#size = this.#hashes.length;
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#slots.byteLength + this.#hashes.byteLength;
  }

  /** The slot of a hash, or the empty one in which it belongs. */
  #place(hash: number): number {
    const mask = this.#slots.length - 1;
    let at = hash & mask;
    for (;;) {
      const number = (this.#slots[at] as number) - 1;
      if (number < 0 || this.#hashes[number] === hash) return at;
      at = (at + 1) & mask;
    }
  }

  #widen(): void {
    this.#slots = numbersLike(this.#slots, 2 * this.#slots.length, this.#size + 1);
    for (let number = 0; number < this.#size; number += 1) {
      this.#slots[this.#place(this.#hashes[number] as number)] = number + 1;
    }
  }
}
