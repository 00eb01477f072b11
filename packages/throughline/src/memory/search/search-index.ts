import { memoizeByText } from "../../internal/memoize.ts";
import { DAY } from "../../internal/time.ts";
import { dateWords } from "../../language/dates.ts";
import { readTerms } from "../../language/terms.ts";
import type { SearchEntry } from "../../ports/memory-store.ts";
import { ColumnReader, ColumnWriter, type SharedColumn, SharedColumns } from "./index/columns.ts";
import { Documents, type VisibilityFilter } from "./index/documents.ts";
import { IndexLock } from "./index/index-lock.ts";
import { Neighbors } from "./index/neighbors.ts";
import { Postings } from "./index/postings.ts";
import { Vectors } from "./index/vectors.ts";
import { View } from "./index/view.ts";
import { unpackEntry } from "./search-entry.ts";

/** Minimum number of replaced documents, if they outnumber the others, at which their memory is released. */
const MIN_REPLACED = 1024;
/** Maximum number of cached views. Most queries use the same few filters: all, memories only, turns only. */
const MAX_VIEWS = 4;

/** Speakers repeat. */
const stemsOf = memoizeByText((text: string) => readTerms(text).map(({ hash }) => hash));

const MAX_DAYS = 20_000;
const stemsByDay = new Map<number, readonly number[]>();

/** Stems of the words of a date. Days repeat. */
function stemsOfDay(at: number): readonly number[] {
  const day = Math.floor(at / DAY);
  const known = stemsByDay.get(day);
  if (known !== undefined) return known;
  const stems = readTerms(dateWords(at)).map(({ hash }) => hash);
  if (stemsByDay.size >= MAX_DAYS) stemsByDay.clear();
  stemsByDay.set(day, stems);
  return stems;
}

/** An index in memory that threads share, at one of its states. */
export interface SharedIndex {
  /** Number of the index in this process. */
  readonly id: number;
  /** Changes if documents were renumbered. Otherwise they were only added or replaced. */
  readonly generation: number;
  readonly columns: readonly SharedColumn[];
}

let created = 0;

/**
 * In-memory search index of one space: postings, neighbors, metadata and vectors of its documents. Filled from the
 * entries of a store and queried by {@link searchIndexes}.
 */
export class SearchIndex {
  readonly documents = new Documents();
  readonly postings = new Postings();
  readonly neighbors = new Neighbors(this.documents);
  readonly vectors = new Vectors();
  /** Keeps other threads from reading while this one changes the index. */
  readonly lock = new IndexLock();
  readonly #id: number;
  #generation = 0;
  /** The current state. */
  #shared: SharedIndex | undefined;
  readonly #views = new Map<string, View>();

  constructor() {
    created += 1;
    this.#id = created;
  }

  /** Number of entries. */
  get size(): number {
    return this.documents.size;
  }

  /** Adds an entry, or replaces the one with the same id. A vector of another embedder is left out. */
  put({ id, entry, embedder, vector }: SearchEntry, currentEmbedder: string): void {
    this.#shared = undefined;
    const unpacked = unpackEntry(entry);
    const document = this.documents.length;
    const replaced = this.documents.add(id, unpacked);
    if (replaced !== undefined) this.neighbors.drop(replaced);
    this.neighbors.add(document);
    this.postings.add(unpacked.own, unpacked.also);
    this.vectors.add(embedder === currentEmbedder ? vector : undefined);
    for (const view of this.#views.values()) {
      if (replaced !== undefined) view.remove(replaced);
      view.add(document);
    }
    if (this.documents.length - this.size > Math.max(MIN_REPLACED, this.size)) this.#shrink();
  }

  /** The view of a query's visible documents, cached by its filters. */
  view(sight: VisibilityFilter): View {
    this.neighbors.order();
    // Queries about the past rarely share a time, so their views are not cached.
    if (sight.asOf !== undefined) return new View(this, sight);
    const key = JSON.stringify([sight.from, sight.kinds, sight.projectId, sight.seesAllProjects]);
    const known = this.#views.get(key);
    if (known?.advanceTo(sight.now)) return known;
    if (this.#views.size >= MAX_VIEWS) this.#views.clear();
    const view = new View(this, sight);
    this.#views.set(key, view);
    return view;
  }

  /** Hashes of the stems of a document's text, without those of its speaker and date. */
  textStems(document: number): ReadonlySet<number> {
    const at = this.documents.at(document);
    const speaker = this.documents.speakers.name(this.documents.speaker(document));
    const others = [...(speaker === undefined ? [] : stemsOf(speaker)), ...(Number.isNaN(at) ? [] : stemsOfDay(at))];
    return this.postings.ownStems(document, others);
  }

  /** The index as bytes, for {@link SearchIndex.unpack}. */
  pack(): Uint8Array<ArrayBuffer> {
    if (this.documents.length > this.size) this.#shrink();
    const writer = new ColumnWriter();
    for (const part of [this.documents, this.neighbors, this.postings, this.vectors]) part.pack(writer);
    return writer.bytes();
  }

  /** The index that {@link pack} has packed. It uses and changes the bytes in place. */
  static unpack(bytes: Uint8Array<ArrayBuffer>): SearchIndex {
    const index = new SearchIndex();
    const reader = new ColumnReader(bytes);
    for (const part of [index.documents, index.neighbors, index.postings, index.vectors]) part.unpack(reader);
    return index;
  }

  /** The current state for other threads, with a result buffer besides this one. */
  share(threads: number): SharedIndex {
    if (this.#shared !== undefined) return this.#shared;
    const writer = new SharedColumns();
    this.documents.share(writer);
    this.neighbors.share(writer);
    this.postings.share(writer);
    this.vectors.share(writer, 1 + threads);
    this.#shared = { id: this.#id, generation: this.#generation, columns: writer.columns };
    return this.#shared;
  }

  /** Takes over the columns that {@link share} has returned in another thread. `thread` is the number of this one. */
  attach(columns: readonly SharedColumn[], thread: number): void {
    const before = this.documents.length;
    const reader = new SharedColumns(columns);
    this.documents.unpack(reader);
    this.neighbors.unpack(reader);
    this.postings.attach(reader);
    this.vectors.attach(reader, thread);
    for (const view of this.#views.values()) view.catchUp(before);
  }

  /** Bytes of memory, without cached views. */
  get bytes(): number {
    return this.documents.bytes + this.neighbors.bytes + this.postings.bytes + this.vectors.bytes;
  }

  #shrink(): void {
    this.#shared = undefined;
    this.#generation += 1;
    const kept = this.documents.standing();
    this.#views.clear();
    this.documents.keep(kept);
    this.postings.keep(kept);
    this.vectors.keep(kept);
    this.neighbors.reset();
  }
}
