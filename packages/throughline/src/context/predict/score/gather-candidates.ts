import { folderOf } from "../../file-paths.ts";
import { readPath } from "../use/path-parts.ts";
import type { Basket, UseIndex } from "../use/use-index.ts";
import type { Candidate } from "./candidate.ts";
import type { FileSituation } from "./situation.ts";

/** How much an anchor weighs against the one that was touched after it, and how many are looked at. */
export const FADING = 0.8;
const MOST_ANCHORS = 10;
/** Uses that are looked at, and after how many the weight of one has fallen to a third. */
const OF_FILE = { most: 120, decay: 8, smoothing: 0.35 };
const OF_FOLDER = { most: 200, decay: 80, smoothing: 0.7 };
const OF_SIGNAL = { most: 40, decay: 10, smoothing: 0.7 };
const OF_ALL = { most: 120, decay: 30, smoothing: 2 };
/** Files that are looked at by their place and name alone. */
const MOST_SIBLINGS = 150;
const MOST_BY_WORD = 80;
const MOST_BY_WORDS = 300;
const MOST_COMPANIONS = 6;

type Sampling = typeof OF_FILE;
type Evidence = "together" | "folder" | "above" | "recent" | "signal";

/** All files that anything speaks for. */
export class Candidates {
  readonly #index: UseIndex;
  readonly #situation: FileSituation;
  readonly #found = new Map<string, Candidate>();
  readonly #atHand: ReadonlySet<string>;

  constructor(index: UseIndex, situation: FileSituation) {
    this.#index = index;
    this.#situation = situation;
    this.#atHand = new Set(situation.anchors);
    this.#fromAnchors();
    this.#fromFolders();
    this.#fromSignals();
    const newest = Array.from({ length: Math.min(OF_ALL.most, index.baskets.length) }, (_, at) => index.baskets.length - 1 - at);
    this.#weigh("recent", newest.reverse(), OF_ALL, 1);
    this.#fromNames();
    for (const path of situation.mentions.keys()) this.#add(path);
    for (const path of situation.imports) this.#add(path);
  }

  get all(): Iterable<Candidate> {
    return this.#found.values();
  }

  #fromAnchors(): void {
    const anchors = this.#situation.anchors.slice(0, MOST_ANCHORS);
    const total = anchors.reduce((sum, _, at) => sum + FADING ** at, 0);
    anchors.forEach((anchor, at) => {
      const id = this.#index.idOf(anchor);
      if (id === undefined) return;
      const weight = FADING ** at / total;
      this.#weigh("together", this.#index.usesOf(id), OF_FILE, weight, id);
    });
  }

  #fromFolders(): void {
    const [anchor] = this.#situation.anchors;
    if (anchor === undefined) return;
    const folder = folderOf(anchor);
    const uses = this.#index.usesOfFolder(folder);
    this.#weigh("folder", uses, OF_FOLDER, 1);
    for (let above = folder; above !== ""; ) {
      above = folderOf(above);
      const more = this.#index.usesOfFolder(above);
      if (more.length > uses.length) {
        this.#weigh("above", more, OF_FOLDER, 1);
        return;
      }
    }
  }

  #fromSignals(): void {
    const { signals } = this.#situation;
    for (const signal of signals) this.#weigh("signal", this.#index.usesOfSignal(signal), OF_SIGNAL, 1 / signals.length);
  }

  /** Siblings, namesakes, companions, and those whose paths have the same rare words. */
  #fromNames(): void {
    const { anchors, words } = this.#situation;
    const [anchor] = anchors;
    const index = this.#index;
    const parts = anchor === undefined ? undefined : readPath(anchor);
    if (parts !== undefined) {
      for (const id of index.filesIn(parts.folder).slice(-MOST_SIBLINGS)) this.#addKnown(id);
      for (const id of index.withCore(parts.core).slice(-MOST_SIBLINGS)) this.#addKnown(id);
    }
    for (const one of anchors.slice(0, MOST_COMPANIONS)) {
      for (const path of index.habits.companions(readPath(one), MOST_COMPANIONS)) this.#add(path);
    }
    const rare = [...new Set([...(parts?.words ?? []), ...words])]
      .map((word) => index.withWord(word))
      .sort((a, b) => a.length - b.length);
    let left = MOST_BY_WORDS;
    for (const files of rare) {
      const some = files.slice(-Math.min(MOST_BY_WORD, left));
      for (const id of some) this.#addKnown(id);
      left -= some.length;
      if (left <= 0) return;
    }
  }

  /** Adds to what speaks for the files of some uses: the newest weigh most, and uses of few files more than those of many. */
  #weigh(evidence: Evidence, uses: readonly number[], sampling: Sampling, weight: number, anchor?: number): void {
    const { baskets } = this.#index;
    const looked: { readonly basket: Basket; readonly share: number }[] = [];
    let total = sampling.smoothing;
    for (let at = uses.length - 1; at >= 0 && looked.length < sampling.most; at -= 1) {
      const basket = baskets[uses[at] ?? -1];
      if (basket === undefined || uses[at] === this.#situation.ownBasket) continue;
      const share = Math.exp(-looked.length / sampling.decay) / Math.log(1 + Math.max(2, basket.files.length));
      looked.push({ basket, share });
      total += share;
    }
    for (const { basket, share } of looked) {
      for (const id of basket.files) {
        if (id === anchor) continue;
        const candidate = this.#addKnown(id);
        if (candidate === undefined) continue;
        candidate[evidence] += (weight * share) / total;
        if (evidence === "together") candidate.times += weight;
      }
      if (anchor !== undefined && basket.isOrdered) this.#noteNext(basket, anchor, weight);
    }
  }

  /** The files that a session came to after an anchor, the nearer the more. */
  #noteNext({ files }: Basket, anchor: number, weight: number): void {
    const at = files.indexOf(anchor);
    for (let step = 1; step <= 3 && at + step < files.length; step += 1) {
      const candidate = this.#addKnown(files[at + step] ?? -1);
      if (candidate !== undefined) candidate.next += weight / step;
    }
  }

  #addKnown(id: number): Candidate | undefined {
    const path = this.#index.files[id]?.path;
    return path === undefined ? undefined : this.#add(path, id);
  }

  #add(path: string, id = this.#index.idOf(path) ?? -1): Candidate | undefined {
    const known = this.#found.get(path);
    if (known !== undefined) return known;
    if (this.#atHand.has(path)) return undefined;
    const candidate = { id, path, together: 0, times: 0, next: 0, folder: 0, above: 0, recent: 0, signal: 0 };
    this.#found.set(path, candidate);
    return candidate;
  }
}
