import type { CountedTerms } from "../search-entry.ts";
import { extend, grow } from "./resize-array.ts";
import { TermTable } from "./term-table.ts";

const NONE = { own: 0, also: 0 } as const;
const NOWHERE = { documents: new Uint32Array(), own: new Uint8Array(), also: new Uint8Array() };

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
  #terms: Uint32Array = new Uint32Array(256);
  #own: Uint8Array = new Uint8Array(256);
  #also: Uint8Array = new Uint8Array(256);
  #documents = 0;
  /** By term: offset of its documents in the sorted arrays. */
  #termStarts: Uint32Array = new Uint32Array(1);
  #sortedDocuments: Uint32Array = new Uint32Array(0);
  #sortedOwn: Uint8Array = new Uint8Array(0);
  #sortedAlso: Uint8Array = new Uint8Array(0);
  #sortedUpTo = 0;
  /** Terms of unsorted documents that were compared since the last sort. */
  #compared = 0;

  /** Adds the next document. */
  add(own: CountedTerms, also: CountedTerms): void {
    const start = this.#starts[this.#documents] as number;
    const most = start + own.hashes.length + also.hashes.length;
    this.#terms = grow(this.#terms, most);
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

  /** True if a document has or had the term. */
  has(hash: number): boolean {
    return this.#table.find(hash) >= 0;
  }

  /** Every document with the term. The arrays are read-only and valid until the next document is added. */
  find(hash: number): TermDocuments {
    const term = this.#table.find(hash);
    if (term < 0) return NOWHERE;
    this.#sortIfCheaper();
    const sorted = this.#findSorted(term);
    const unsorted = this.#findUnsorted(term);
    if (unsorted.length === 0) return sorted;
    const places = unsorted.map(([, place]) => place);
    return {
      documents: extend(
        sorted.documents,
        unsorted.map(([document]) => document),
      ),
      own: extend(
        sorted.own,
        places.map((place) => this.#own[place] as number),
      ),
      also: extend(
        sorted.also,
        places.map((place) => this.#also[place] as number),
      ),
    };
  }

  /** Counts of a term in the own words and in the additional words of a document. */
  count(document: number, hash: number): { readonly own: number; readonly also: number } {
    const term = this.#table.find(hash);
    const start = this.#starts[document] as number;
    const place = this.#terms.subarray(start, this.#starts[document + 1]).indexOf(term);
    if (term < 0 || place < 0) return NONE;
    return { own: this.#own[start + place] as number, also: this.#also[start + place] as number };
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

  /** Sorts when the search through unsorted documents has cost as much as a sort. */
  #sortIfCheaper(): void {
    const total = this.#starts[this.#documents] as number;
    this.#compared += total - (this.#starts[this.#sortedUpTo] as number);
    if (this.#compared > total) this.#sort();
  }

  #findSorted(term: number): TermDocuments {
    if (term + 1 >= this.#termStarts.length) return NOWHERE;
    const [start, end] = [this.#termStarts[term], this.#termStarts[term + 1]];
    return {
      documents: this.#sortedDocuments.subarray(start, end),
      own: this.#sortedOwn.subarray(start, end),
      also: this.#sortedAlso.subarray(start, end),
    };
  }

  /** Unsorted documents with the term, and the offset of the term in each. */
  #findUnsorted(term: number): readonly (readonly [document: number, place: number])[] {
    const found: (readonly [number, number])[] = [];
    for (let document = this.#sortedUpTo; document < this.#documents; document += 1) {
      const end = this.#starts[document + 1] as number;
      for (let at = this.#starts[document] as number; at < end; at += 1) {
        if (this.#terms[at] === term) found.push([document, at]);
      }
    }
    return found;
  }

  /** Counting sort of all postings by term. */
  #sort(): void {
    const total = this.#starts[this.#documents] as number;
    const starts = new Uint32Array(this.#table.size + 1);
    for (let at = 0; at < total; at += 1) {
      const next = (this.#terms[at] as number) + 1;
      starts[next] = (starts[next] as number) + 1;
    }
    for (let term = 0; term < this.#table.size; term += 1) {
      starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
    }
    const places = starts.slice();
    this.#sortedDocuments = new Uint32Array(total);
    this.#sortedOwn = new Uint8Array(total);
    this.#sortedAlso = new Uint8Array(total);
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
    this.#compared = 0;
  }
}
