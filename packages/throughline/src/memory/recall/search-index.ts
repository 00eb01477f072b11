import type { SearchEntry } from "../../ports/memory-store.ts";
import { Documents, type Sight } from "./index/documents.ts";
import { Neighbors } from "./index/neighbors.ts";
import { Postings } from "./index/postings.ts";
import { Scratch } from "./index/scratch.ts";
import { Vectors } from "./index/vectors.ts";
import { type View, viewOf } from "./index/view.ts";
import { unpackEntry } from "./search-entry.ts";

/** Minimum number of replaced documents, if they outnumber the others, at which their memory is released. */
const MIN_REPLACED = 1024;
/** Maximum number of cached views. Most queries use the same few filters: all, memories only, turns only. */
const MAX_VIEWS = 4;

interface KeptView {
  readonly view: View;
  /** The view is valid in this interval of time, `before` exclusive. */
  readonly from: number;
  readonly before: number;
}

/**
 * In-memory search index of one space: postings, neighbors, metadata and vectors of its documents. Filled from the
 * entries of a store and queried by {@link searchIndexes}.
 */
export class SearchIndex {
  readonly documents = new Documents();
  readonly postings = new Postings();
  readonly neighbors = new Neighbors(this.documents);
  readonly vectors = new Vectors();
  readonly scratch = new Scratch();
  readonly #views = new Map<string, KeptView>();

  /** Number of entries. */
  get size(): number {
    return this.documents.size;
  }

  /** Adds an entry, or replaces the one with the same id. A vector of another embedder is left out. */
  put({ id, entry, embedder, vector }: SearchEntry, currentEmbedder: string): void {
    const unpacked = unpackEntry(entry);
    this.#views.clear();
    const document = this.documents.length;
    const replaced = this.documents.add(id, unpacked);
    if (replaced !== undefined) this.neighbors.drop(replaced);
    this.neighbors.add(document);
    this.postings.add(unpacked.own, unpacked.also);
    this.vectors.add(embedder === currentEmbedder ? vector : undefined);
    if (this.documents.length - this.size > Math.max(MIN_REPLACED, this.size)) this.#shrink();
  }

  /** The view of a query's visible documents, cached by its filters. */
  view(sight: Sight): View {
    // Queries about the past rarely share a time, so their views are not cached.
    if (sight.asOf !== undefined) return viewOf(this, sight);
    const key = JSON.stringify([sight.from, sight.kinds, sight.projectId, sight.seesAllProjects]);
    const known = this.#views.get(key);
    if (known !== undefined && known.from <= sight.now && sight.now < known.before) return known.view;
    if (this.#views.size >= MAX_VIEWS) this.#views.clear();
    const view = viewOf(this, sight);
    this.#views.set(key, { view, from: sight.now, before: this.documents.nextChange(sight.now) });
    return view;
  }

  #shrink(): void {
    const kept = this.documents.standing();
    this.documents.keep(kept);
    this.postings.keep(kept);
    this.vectors.keep(kept);
    this.neighbors.reset();
  }
}
