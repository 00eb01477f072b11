import type { SearchEntry } from "../../ports/memory-store.ts";
import { Documents, type Sight } from "./index/documents.ts";
import { Neighbors } from "./index/neighbors.ts";
import { Postings } from "./index/postings.ts";
import { Scratch } from "./index/scratch.ts";
import { Vectors } from "./index/vectors.ts";
import { type View, viewOf } from "./index/view.ts";
import { unpackEntry } from "./search-entry.ts";

/** From so many replaced documents on, when they are more than the others, their room is given back. */
const MIN_REPLACED = 1024;
/** Who asks mostly asks for the same again: all, memories alone, turns alone. */
const MAX_VIEWS = 4;

interface KeptView {
  readonly view: View;
  /** It is the same for all who ask from then on, and before that. */
  readonly from: number;
  readonly before: number;
}

/**
 * One space's search entries, held in memory: which documents have a word, who said them when and next to what, and their
 * vectors. It is filled from what a store keeps and asked by {@link searchIndexes}.
 */
export class SearchIndex {
  readonly documents = new Documents();
  readonly postings = new Postings();
  readonly neighbors = new Neighbors(this.documents);
  readonly vectors = new Vectors();
  readonly scratch = new Scratch();
  readonly #views = new Map<string, KeptView>();

  /** How many entries there are. */
  get size(): number {
    return this.documents.size;
  }

  /** Takes in an entry, in place of one of the same id. A vector that another embedder made is left out. */
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

  /** What a question may see. */
  view(sight: Sight): View {
    // Of what was so once, each asks for another time.
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
