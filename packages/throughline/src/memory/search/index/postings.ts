import type { CountedTerms } from "../search-entry.ts";
import {
  arrayLike,
  type ColumnSink,
  type ColumnSource,
  grow,
  growNumbers,
  type Numbers,
  numbersLike,
  share,
} from "./columns.ts";

const NOWHERE = { documents: new Uint32Array(), own: new Uint8Array(), also: new Uint8Array() };
/** New documents are sorted with the others when there are this many, and this share of all. */
const MIN_UNSORTED = 1_000;
const MAX_UNSORTED_SHARE = 0.125;

/** The documents with a term, in order, and the counts of the term in their own words and in their additional words. */
export interface TermDocuments {
  readonly documents: Uint32Array;
  readonly own: Uint8Array;
  readonly also: Uint8Array;
}

/**
 * Inverted index from terms to documents. New documents are appended in document order. From time to time all are
 * sorted by term into typed arrays, which takes a fraction of the memory and time of one list per term.
 */
export class Postings {
  readonly #table = new TermTable();
  /** By document: offset of its terms in the next three arrays, with one more offset at the end. */
  #starts: Uint32Array = new Uint32Array(16);
  #terms: Numbers = new Uint16Array(256);
  #own: Uint8Array = new Uint8Array(256);
  #also: Uint8Array = new Uint8Array(256);
  #documents = 0;
  /** By term: offset of its documents in the sorted arrays. */
  #termStarts: Uint32Array = new Uint32Array(1);
  #sortedDocuments: Numbers = new Uint16Array(0);
  #sortedOwn: Uint8Array = new Uint8Array(0);
  #sortedAlso: Uint8Array = new Uint8Array(0);
  #sortedUpTo = 0;
  /** By term: places of the term in the terms of unsorted documents, and these documents. */
  readonly #unsorted = new Map<number, { readonly documents: number[]; readonly places: number[] }>();
  #listedUpTo = 0;

  /** Adds the next document. */
  add(own: CountedTerms, also: CountedTerms): void {
    const start = this.#starts[this.#documents] as number;
    const most = start + own.hashes.length + also.hashes.length;
    this.#terms = growNumbers(this.#terms, most, this.#table.size + most - start);
    this.#own = grow(this.#own, most);
    this.#also = grow(this.#also, most);
    let end = start;
    for (let at = 0; at < own.hashes.length; at += 1) {
      this.#terms[end] = this.#table.add(own.hashes[at] as number);
      this.#own[end] = own.counts[at] as number;
      this.#also[end] = 0;
      end += 1;
    }
    const ownEnd = end;
    for (let at = 0; at < also.hashes.length; at += 1) {
      const term = this.#table.add(also.hashes[at] as number);
      const known = this.#terms.subarray(start, ownEnd).indexOf(term);
      const place = known < 0 ? end : start + known;
      if (known < 0) {
        this.#terms[end] = term;
        this.#own[end] = 0;
        end += 1;
      }
      this.#also[place] = also.counts[at] as number;
    }
    this.#documents += 1;
    this.#starts = grow(this.#starts, this.#documents + 1);
    this.#starts[this.#documents] = end;
  }

  /**
   * Every document with the term, in one or two parts. The arrays are read-only and valid until the next document is
   * added.
   */
  find(hash: number): readonly TermDocuments[] {
    const term = this.#table.find(hash);
    if (term < 0) return [];
    this.#update();
    const sorted = this.#findSorted(term);
    const unsorted = this.#unsorted.get(term);
    if (unsorted === undefined) return [sorted];
    const { documents, places } = unsorted;
    return [
      sorted,
      { documents: Uint32Array.from(documents), own: valuesAt(this.#own, places), also: valuesAt(this.#also, places) },
    ];
  }

  /** Number of documents that {@link find} returns, without reading them. */
  count(hash: number): number {
    const term = this.#table.find(hash);
    if (term < 0) return 0;
    this.#update();
    // A term that is new since the documents were sorted has no end there.
    const end = this.#termStarts[term + 1];
    const sorted = end === undefined ? 0 : end - (this.#termStarts[term] as number);
    return sorted + (this.#unsorted.get(term)?.documents.length ?? 0);
  }

  /** Number of a term for {@link place}; -1 if no document has it. */
  number(hash: number): number {
    return this.#table.find(hash);
  }

  /** Place of a term of a document in `ownCounts` and `alsoCounts`; -1 if the document does not have it. */
  place(document: number, term: number): number {
    const terms = this.#terms;
    const end = this.#starts[document + 1] as number;
    for (let at = this.#starts[document] as number; at < end; at += 1) if (terms[at] === term) return at;
    return -1;
  }

  get ownCounts(): Uint8Array {
    return this.#own;
  }

  get alsoCounts(): Uint8Array {
    return this.#also;
  }

  /** Hashes of the stems in a document's own words, without one occurrence of each of the others. */
  ownStems(document: number, others: readonly number[]): ReadonlySet<number> {
    const stems = new Set<number>();
    const end = this.#starts[document + 1] as number;
    for (let at = this.#starts[document] as number; at < end; at += 1) {
      let count = this.#own[at] as number;
      if (count === 0) continue;
      const hash = this.#table.hash(this.#terms[at] as number);
      for (const other of others) if (other === hash) count -= 1;
      if (count > 0) stems.add(hash);
    }
    return stems;
  }

  /** Packs all documents, sorted. */
  pack(writer: ColumnSink): void {
    if (this.#sortedUpTo < this.#documents) this.#sort();
    this.#pack(writer);
  }

  /** Hands over all documents in arrays that threads can share, so that none of them has to sort. */
  share(writer: ColumnSink): void {
    this.#sortMany();
    this.#table.share();
    this.#starts = share(this.#starts);
    this.#terms = share(this.#terms);
    this.#own = share(this.#own);
    this.#also = share(this.#also);
    this.#termStarts = share(this.#termStarts);
    this.#sortedDocuments = share(this.#sortedDocuments);
    this.#sortedOwn = share(this.#sortedOwn);
    this.#sortedAlso = share(this.#sortedAlso);
    this.#pack(writer);
    writer.add(Uint32Array.of(this.#sortedUpTo));
  }

  /** Loads the output of {@link share}. Existing entries stay valid, because documents were only added. */
  attach(reader: ColumnSource): void {
    const [sorted, listed] = [this.#sortedUpTo, this.#listedUpTo];
    this.unpack(reader);
    this.#sortedUpTo = reader.next(Uint32Array)[0] as number;
    this.#listedUpTo = listed;
    if (this.#sortedUpTo === sorted) return;
    this.#unsorted.clear();
    this.#listedUpTo = this.#sortedUpTo;
  }

  #pack(writer: ColumnSink): void {
    const total = this.#starts[this.#documents] as number;
    this.#table.pack(writer);
    writer.add(this.#starts.subarray(0, this.#documents + 1));
    writer.addNumbers(this.#terms.subarray(0, total));
    for (const column of [this.#own, this.#also]) writer.add(column.subarray(0, total));
    writer.add(this.#termStarts);
    writer.addNumbers(this.#sortedDocuments);
    for (const column of [this.#sortedOwn, this.#sortedAlso]) writer.add(column);
  }

  /** Loads the output of {@link pack}. */
  unpack(reader: ColumnSource): void {
    this.#table.unpack(reader);
    this.#starts = reader.next(Uint32Array);
    this.#terms = reader.numbers();
    this.#own = reader.next(Uint8Array);
    this.#also = reader.next(Uint8Array);
    this.#termStarts = reader.next(Uint32Array);
    this.#sortedDocuments = reader.numbers();
    this.#sortedOwn = reader.next(Uint8Array);
    this.#sortedAlso = reader.next(Uint8Array);
    this.#documents = this.#starts.length - 1;
    this.#sortedUpTo = this.#documents;
    this.#listedUpTo = this.#documents;
  }

  /** Bytes of memory. */
  get bytes(): number {
    const columns = [this.#starts, this.#terms, this.#own, this.#also, this.#termStarts];
    const sorted = [this.#sortedDocuments, this.#sortedOwn, this.#sortedAlso];
    return [...columns, ...sorted].reduce((sum, { byteLength }) => sum + byteLength, this.#table.bytes);
  }

  /** Removes the documents that are not in `kept`, and renumbers the others in order. */
  keep(kept: Uint32Array): void {
    let end = 0;
    kept.forEach((document, renumbered) => {
      const start = this.#starts[document] as number;
      const next = this.#starts[document + 1] as number;
      this.#terms.copyWithin(end, start, next);
      this.#own.copyWithin(end, start, next);
      this.#also.copyWithin(end, start, next);
      this.#starts[renumbered] = end;
      end += next - start;
    });
    this.#starts[kept.length] = end;
    this.#documents = kept.length;
    this.#sort();
  }

  /** Lists the new documents by term, or sorts them if there are many. */
  #update(): void {
    this.#sortMany();
    for (; this.#listedUpTo < this.#documents; this.#listedUpTo += 1) {
      const end = this.#starts[this.#listedUpTo + 1] as number;
      for (let at = this.#starts[this.#listedUpTo] as number; at < end; at += 1) {
        const term = this.#terms[at] as number;
        const listed = this.#unsorted.get(term) ?? { documents: [], places: [] };
        listed.documents.push(this.#listedUpTo);
        listed.places.push(at);
        this.#unsorted.set(term, listed);
      }
    }
  }

  #sortMany(): void {
    const unsorted = this.#documents - this.#sortedUpTo;
    if (unsorted > Math.max(MIN_UNSORTED, MAX_UNSORTED_SHARE * this.#documents)) this.#sort();
  }

  #findSorted(term: number): TermDocuments {
    if (term + 1 >= this.#termStarts.length) return NOWHERE;
    const [start, end] = [this.#termStarts[term], this.#termStarts[term + 1]];
    const documents = this.#sortedDocuments.subarray(start, end);
    return {
      // Loops over documents are faster if they see one type of array.
      documents: documents instanceof Uint16Array ? new Uint32Array(documents) : documents,
      own: this.#sortedOwn.subarray(start, end),
      also: this.#sortedAlso.subarray(start, end),
    };
  }

  /** Counting sort of all postings by term. */
  #sort(): void {
    const total = this.#starts[this.#documents] as number;
    const starts = arrayLike(this.#termStarts, this.#table.size + 1);
    for (let at = 0; at < total; at += 1) {
      const next = (this.#terms[at] as number) + 1;
      starts[next] = (starts[next] as number) + 1;
    }
    for (let term = 0; term < this.#table.size; term += 1) {
      starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
    }
    const places = starts.slice();
    this.#sortedDocuments = numbersLike(this.#sortedDocuments, total, this.#documents);
    this.#sortedOwn = arrayLike(this.#sortedOwn, total);
    this.#sortedAlso = arrayLike(this.#sortedAlso, total);
    for (let document = 0; document < this.#documents; document += 1) {
      const end = this.#starts[document + 1] as number;
      for (let at = this.#starts[document] as number; at < end; at += 1) {
        const term = this.#terms[at] as number;
        const place = places[term] as number;
        places[term] = place + 1;
        this.#sortedDocuments[place] = document;
        this.#sortedOwn[place] = this.#own[at] as number;
        this.#sortedAlso[place] = this.#also[at] as number;
      }
    }
    this.#termStarts = starts;
    this.#sortedUpTo = this.#documents;
    this.#unsorted.clear();
    this.#listedUpTo = this.#documents;
  }
}

/** A plain loop: `Uint8Array.from` with a function takes ten times as long. */
function valuesAt(column: Uint8Array, places: readonly number[]): Uint8Array {
  const values = new Uint8Array(places.length);
  for (let at = 0; at < places.length; at += 1) values[at] = column[places[at] as number] as number;
  return values;
}

const FULL = 0.6;

/** Assigns numbers to stems, from 0 on: an open-addressed table of their hashes. */
class TermTable {
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
