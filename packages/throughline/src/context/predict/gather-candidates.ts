import { folderOf } from "../file-paths.ts";
import type { Mention } from "./find-mentions.ts";
import { readPath } from "./naming-habits.ts";
import {
  type Basket,
  findSimilarPaths,
  type Sampling,
  type UseIndex,
  type WeighedUse,
  weighUses,
} from "./use-index.ts";

/** A candidate file, with evidence that is summed up while candidates are gathered. */
export interface Candidate {
  /** Id in the index. -1 for a file without history. */
  readonly id: number;
  readonly path: string;
  /** Share of the anchors' uses that contain it. Newer uses weigh more. */
  together: number;
  /** Number of common uses with the anchors. */
  times: number;
  /** Weighted number of uses right after an anchor. */
  next: number;
  /** Share of the uses of the anchor's folder, and of the nearest parent folder with more uses. */
  folder: number;
  above: number;
  /** Share of the uses of files with similar paths. */
  kin: number;
  /** Share of the newest uses of all files. */
  recent: number;
  /** Share of the uses with the same signals, such as branch or error. */
  signal: number;
  /** True if it was found by its folder or name. */
  isAlike: boolean;
}

/** Weight of an anchor relative to the next newer one. */
export const FADING = 0.7;
const MAX_ANCHORS = 10;
const OF_FILE: Sampling = { most: 120, decay: 8, smoothing: 0.35 };
const OF_FOLDER: Sampling = { most: 200, decay: 80, smoothing: 0.7 };
const OF_KIN: Sampling = { most: 16, decay: 6, smoothing: 0.35 };
const OF_SIGNAL: Sampling = { most: 40, decay: 10, smoothing: 0.7 };
const OF_ALL: Sampling = { most: 120, decay: 30, smoothing: 2 };
/** Maximum number of candidates by folder or name only. */
const MAX_SIBLINGS = 150;
const MAX_BY_WORD = 80;
const MAX_BY_WORDS = 300;
const MAX_COMPANIONS = 6;
/** Maximum number of candidates that are scored. */
const MAX_CANDIDATES = 400;
/** Value of a similar name, compared to shares of uses. */
const ALIKE = 0.05;
/** Number of files after an anchor that count as used after it. */
const NEXT_STEPS = 3;

export function gatherCandidates(index: UseIndex, input: PredictionInput): readonly Candidate[] {
  const candidates = new Candidates(index, input);
  candidates.fromAnchors();
  candidates.fromFolders();
  candidates.fromKin();
  candidates.fromSignals();
  candidates.fromEqualErrors();
  candidates.fromNewest();
  candidates.fromNames();
  const required = new Set([...input.mentions.keys(), ...input.imports].flatMap((path) => candidates.add(path) ?? []));
  return keepBest(candidates.all, required);
}

/** Candidates with the most evidence, and all that the session mentions or the file imports. */
function keepBest(all: readonly Candidate[], required: ReadonlySet<Candidate>): readonly Candidate[] {
  if (all.length <= MAX_CANDIDATES) return all;
  const worth = ({ together, folder, above, kin, recent, signal, isAlike }: Candidate): number =>
    4 * together + 2 * folder + above + kin + recent + signal + (isAlike ? ALIKE : 0);
  const best = all.filter((candidate) => !required.has(candidate)).sort((a, b) => worth(b) - worth(a));
  return [...required, ...best.slice(0, Math.max(0, MAX_CANDIDATES - required.size))];
}

class Candidates {
  readonly #index: UseIndex;
  readonly #input: PredictionInput;
  readonly #found = new Map<string, Candidate>();
  readonly #atHand: ReadonlySet<string>;

  constructor(index: UseIndex, input: PredictionInput) {
    this.#index = index;
    this.#input = input;
    this.#atHand = new Set(input.anchors);
  }

  get all(): readonly Candidate[] {
    return [...this.#found.values()];
  }

  add(path: string, id = this.#index.idOf(path) ?? -1): Candidate | undefined {
    const known = this.#found.get(path);
    if (known !== undefined) return known;
    if (this.#atHand.has(path) || this.#index.isGone(path)) return undefined;
    const candidate = {
      id,
      path,
      together: 0,
      times: 0,
      next: 0,
      folder: 0,
      above: 0,
      kin: 0,
      recent: 0,
      signal: 0,
      isAlike: false,
    };
    this.#found.set(path, candidate);
    return candidate;
  }

  fromAnchors(): void {
    const anchors = this.#input.anchors.slice(0, MAX_ANCHORS);
    const total = anchors.reduce((sum, _, at) => sum + FADING ** at, 0);
    anchors.forEach((anchor, at) => {
      const id = this.#index.idOf(anchor);
      if (id === undefined) return;
      const share = FADING ** at / total;
      for (const { basket, weight } of this.#weigh(this.#index.usesOf(id), OF_FILE)) {
        for (const candidate of this.#filesOf(basket)) {
          candidate.together += share * weight;
          candidate.times += share;
        }
        if (basket.isOrdered) this.#noteNext(basket, id, share);
      }
    });
  }

  fromFolders(): void {
    const [anchor] = this.#input.anchors;
    if (anchor === undefined) return;
    const folder = folderOf(anchor);
    const uses = this.#index.usesOfFolder(folder);
    for (const { basket, weight } of this.#weigh(uses, OF_FOLDER)) {
      for (const candidate of this.#filesOf(basket)) candidate.folder += weight;
    }
    for (const { basket, weight } of this.#weigh(this.#usesAbove(folder, uses.length), OF_FOLDER)) {
      for (const candidate of this.#filesOf(basket)) candidate.above += weight;
    }
  }

  /** Files that were used with files of similar paths. */
  fromKin(): void {
    const [anchor] = this.#input.anchors.slice(0, 1).map(readPath);
    if (anchor === undefined) return;
    for (const { id, share } of findSimilarPaths(this.#index, anchor)) {
      for (const { basket, weight } of this.#weigh(this.#index.usesOf(id), OF_KIN)) {
        for (const candidate of this.#filesOf(basket)) candidate.kin += share * weight;
      }
    }
  }

  fromSignals(): void {
    const { signals, anchors } = this.#input;
    for (const signal of signals) {
      const share = 1 / signals.length;
      for (const { number, basket, weight } of this.#weigh(this.#index.usesOfSignal(signal), OF_SIGNAL)) {
        for (const candidate of this.#filesOf(basket, this.#index.startOf(signal, number))) {
          candidate.signal += share * weight;
          // Without anchors, a common signal is the only evidence that files are used together.
          if (anchors.length > 0) continue;
          candidate.together += share * weight;
          candidate.times += share;
        }
      }
    }
  }

  /** Files that were changed after an equal error. They count like those of sessions with the same signal. */
  fromEqualErrors(): void {
    const { ledTo = [], anchors } = this.#input;
    for (const files of ledTo) {
      for (const candidate of files.flatMap((path) => this.add(path) ?? [])) {
        candidate.signal += 1 / ledTo.length;
        if (anchors.length > 0) continue;
        candidate.together += 1 / ledTo.length;
        candidate.times += 1 / ledTo.length;
      }
    }
  }

  fromNewest(): void {
    const { length } = this.#index.baskets;
    const newest = Array.from(
      { length: Math.min(OF_ALL.most + 1, length) },
      (_, at) => at + Math.max(0, length - OF_ALL.most - 1),
    );
    for (const { basket, weight } of this.#weigh(newest, OF_ALL)) {
      for (const candidate of this.#filesOf(basket)) candidate.recent += weight;
    }
  }

  /**
   * Files in the same folder, with the same core name, companions, and files with the same rare words in their paths.
   */
  fromNames(): void {
    const { anchors, words } = this.#input;
    const index = this.#index;
    const [anchor] = anchors.slice(0, 1).map(readPath);
    if (anchor !== undefined) {
      for (const id of index.filesIn(anchor.folder).slice(-MAX_SIBLINGS)) this.#addAlike(id);
      for (const id of index.withCore(anchor.core).slice(-MAX_SIBLINGS)) this.#addAlike(id);
    }
    for (const one of anchors.slice(0, MAX_COMPANIONS)) {
      for (const path of index.habits.companions(readPath(one), MAX_COMPANIONS)) {
        const candidate = this.add(path);
        if (candidate !== undefined) candidate.isAlike = true;
      }
    }
    const rare = [...new Set([...(anchor?.words ?? []), ...words])]
      .map((word) => index.withWord(word))
      .sort((a, b) => a.length - b.length);
    let left = MAX_BY_WORDS;
    for (const files of rare) {
      if (left <= 0) return;
      const some = files.slice(-Math.min(MAX_BY_WORD, left));
      for (const id of some) this.#addAlike(id);
      left -= some.length;
    }
  }

  #weigh(uses: readonly number[], sampling: Sampling): readonly WeighedUse[] {
    return weighUses(this.#index, uses, sampling, this.#input.ownBasket);
  }

  /** Uses of the nearest parent folder with more uses than the folder itself. */
  #usesAbove(folder: string, uses: number): readonly number[] {
    for (let above = folder; above !== ""; ) {
      above = folderOf(above);
      const found = this.#index.usesOfFolder(above);
      if (found.length > uses) return found;
    }
    return [];
  }

  *#filesOf({ files }: Basket, from = 0): Iterable<Candidate> {
    for (let at = from; at < files.length; at += 1) {
      const candidate = this.#addKnown(files[at] ?? -1);
      if (candidate !== undefined) yield candidate;
    }
  }

  /** Counts the files after an anchor in a session. Nearer ones count more. */
  #noteNext({ files }: Basket, anchor: number, share: number): void {
    const at = files.indexOf(anchor);
    for (let step = 1; step <= NEXT_STEPS && at + step < files.length; step += 1) {
      const candidate = this.#addKnown(files[at + step] ?? -1);
      if (candidate !== undefined) candidate.next += share / step;
    }
  }

  #addAlike(id: number): void {
    const candidate = this.#addKnown(id);
    if (candidate !== undefined) candidate.isAlike = true;
  }

  /** True for files of one-time changes. Sessions keep them, because a session opens too few files to tell. */
  #isPassing(id: number): boolean {
    return !this.#input.inSession && this.#index.isPassing(id);
  }

  #addKnown(id: number): Candidate | undefined {
    const path = this.#index.files[id]?.path;
    return path === undefined || this.#isPassing(id) ? undefined : this.add(path, id);
  }
}

export interface PredictionInput {
  /** The opened file and earlier ones of the session, newest first. They are not predicted. */
  readonly anchors: readonly string[];
  /** True if more of the session is known than the opened file. */
  readonly inSession: boolean;
  /** Current signals, such as branch or error. */
  readonly signals: readonly string[];
  /** Files that were changed after each earlier occurrence of the error, according to memories. */
  readonly ledTo?: readonly (readonly string[])[];
  /** Words of the branch name. */
  readonly words: readonly string[];
  /** Mentions in the session by path. Known files have their project path. */
  readonly mentions: ReadonlyMap<string, Mention>;
  /** Files that the first anchor imports. */
  readonly imports: ReadonlySet<string>;
  /** Basket of the session itself, which is not evidence. */
  readonly ownBasket?: number;
}
