import { NamingHabits, type PathParts, readPath } from "./naming-habits.ts";

/** Files that were used together: of a commit, or of a session in the order of use. */
export interface Basket {
  readonly files: number[];
  /** Ids of memories that were useful in it. */
  readonly memories: string[];
  /** True for a session, in which the order has a meaning. */
  readonly isOrdered: boolean;
  /** Number of preceding files that a file's name is compared with. */
  readonly compared: number;
}

/** Number of a session's last files that naming habits are learned from. */
const LAST_FILES = 8;
/** Maximum number of files in a commit that naming habits are learned from. */
const SMALL_COMMIT = 12;

/** Maximum number of uses of a temporary file, which one commit adds and another deletes. */
const MAX_TEMPORARY_USES = 2;
/** Minimum number of files in a folder of temporary files, and their minimum share. */
const MIN_FILES = 20;
const MIN_TEMPORARY_SHARE = 0.9;

/** Index of baskets by file, folder, word, name and signal. */
export class UseIndex {
  readonly files: PathParts[] = [];
  readonly baskets: Basket[] = [];
  readonly habits = new NamingHabits();
  readonly #ids = new Map<string, number>();
  readonly #deletedFiles = new Set<string>();
  /** Baskets of each file, the newest last. */
  readonly #uses: number[][] = [];
  /** Baskets of a folder and its subfolders. */
  readonly #folderUses = new Map<string, number[]>();
  /** Baskets of a signal, each with the number of its files before the signal. */
  readonly #signalUses = new Map<string, Map<number, number>>();
  readonly #inFolder = new Map<string, number[]>();
  /** Number of files per folder with more uses than temporary ones. */
  readonly #staying = new Map<string, number>();
  readonly #byWord = new Map<string, number[]>();
  readonly #byCore = new Map<string, number[]>();
  readonly #byName = new Map<string, string[]>();
  readonly #extensions = new Set<string>();

  /** Registers a file and returns its id. It need not have been used. */
  know(path: string): number {
    const known = this.#ids.get(path);
    if (known !== undefined) return known;
    const id = this.files.length;
    const parts = readPath(path);
    this.#ids.set(path, id);
    this.files.push(parts);
    this.#uses.push([]);
    push(this.#inFolder, parts.folder, id);
    push(this.#byCore, parts.core, id);
    push(this.#byName, parts.name, path);
    this.#extensions.add(parts.extension);
    for (const word of parts.words) push(this.#byWord, word, id);
    return id;
  }

  /** Marks a file as deleted until its next use. */
  lose(path: string): void {
    this.#deletedFiles.add(path);
  }

  /** Adds a basket and returns its number. The last one counts as the newest. */
  add(paths: readonly string[], { isOrdered = false }: { readonly isOrdered?: boolean } = {}): number {
    const basket = this.baskets.length;
    const compared = isOrdered ? LAST_FILES : paths.length <= SMALL_COMMIT ? SMALL_COMMIT : 0;
    this.baskets.push({ files: [], memories: [], isOrdered, compared });
    for (const path of paths) this.touch(basket, path);
    return basket;
  }

  touch(basket: number, path: string): void {
    const id = this.know(path);
    const parts = this.files[id];
    const filled = this.baskets[basket];
    this.#deletedFiles.delete(path);
    if (parts === undefined || filled === undefined || filled.files.includes(id)) return;
    const { files, compared } = filled;
    if (compared > 0)
      this.habits.learn(
        parts,
        files.slice(-compared).flatMap((one) => this.files[one] ?? []),
      );
    files.push(id);
    const uses = this.#uses[id] ?? [];
    if (insert(uses, basket) && uses.length === MAX_TEMPORARY_USES + 1) {
      this.#staying.set(parts.folder, (this.#staying.get(parts.folder) ?? 0) + 1);
    }
    for (let { folder } = parts; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
      const usesOfFolder = this.#folderUses.get(folder) ?? [];
      this.#folderUses.set(folder, usesOfFolder);
      // If a folder has the basket, its parents have it too.
      if (!insert(usesOfFolder, basket) || folder === "") break;
    }
  }

  /** Adds a signal, such as branch, error or hour, to a basket. `before`: number of files that came before it. */
  mark(basket: number, signal: string, before = 0): void {
    const uses = this.#signalUses.get(signal) ?? new Map<number, number>();
    this.#signalUses.set(signal, uses);
    if (!uses.has(basket)) uses.set(basket, before);
  }

  cite(basket: number, memory: string): void {
    const memories = this.baskets[basket]?.memories;
    if (memories?.includes(memory) === false) memories.push(memory);
  }

  idOf(path: string): number | undefined {
    return this.#ids.get(path);
  }

  isGone(path: string): boolean {
    return this.#deletedFiles.has(path);
  }

  usesOf(id: number): readonly number[] {
    return this.#uses[id] ?? [];
  }

  usesOfFolder(folder: string): readonly number[] {
    return this.#folderUses.get(folder) ?? [];
  }

  usesOfSignal(signal: string): readonly number[] {
    return [...(this.#signalUses.get(signal)?.keys() ?? [])].sort((a, b) => a - b);
  }

  startOf(signal: string, basket: number): number {
    return this.#signalUses.get(signal)?.get(basket) ?? 0;
  }

  filesIn(folder: string): readonly number[] {
    return this.#inFolder.get(folder) ?? [];
  }

  /** True for a temporary file in a folder of temporary files, such as a change note. */
  isPassing(id: number): boolean {
    const folder = this.files[id]?.folder;
    return folder !== undefined && this.usesOf(id).length <= MAX_TEMPORARY_USES && this.#isOfPassing(folder);
  }

  #isOfPassing(folder: string): boolean {
    const { length } = this.filesIn(folder);
    return length >= MIN_FILES && (this.#staying.get(folder) ?? 0) <= (1 - MIN_TEMPORARY_SHARE) * length;
  }

  withWord(word: string): readonly number[] {
    return this.#byWord.get(word) ?? [];
  }

  withCore(core: string): readonly number[] {
    return this.#byCore.get(core) ?? [];
  }

  named(name: string): readonly string[] {
    return this.#byName.get(name) ?? [];
  }

  hasExtension(extension: string): boolean {
    return this.#extensions.has(extension.toLowerCase());
  }

  hasFolder(folder: string): boolean {
    return this.#folderUses.has(folder) || this.#inFolder.has(folder);
  }

  /** Rarity of a word in paths (inverse document frequency). */
  rarity(word: string): number {
    return Math.log((this.files.length + 1) / (this.withWord(word).length + 1));
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

/** Inserts a number into a sorted list. Returns false if it is already there. */
function insert(values: number[], value: number): boolean {
  let at = values.length;
  while (at > 0 && (values[at - 1] ?? 0) > value) at -= 1;
  if (at > 0 && values[at - 1] === value) return false;
  values.splice(at, 0, value);
  return true;
}

/** Parameters of a sample of uses: maximum number, decay and smoothing. */
export interface Sampling {
  readonly most: number;
  /** Number of newer uses after which a use weighs a third. */
  readonly decay: number;
  readonly smoothing: number;
}

export interface WeighedUse {
  readonly number: number;
  readonly basket: Basket;
  /** Weight of the use. The sum is below 1, and lower if there are few uses. */
  readonly weight: number;
}

/** Uses with their weights, newest first. Newer uses and uses of few files weigh more. */
export function weighUses(
  { baskets }: UseIndex,
  uses: readonly number[],
  { most, decay, smoothing }: Sampling,
  ownBasket?: number,
): readonly WeighedUse[] {
  const looked: { number: number; basket: Basket; weight: number }[] = [];
  let total = smoothing;
  for (let at = uses.length - 1; at >= 0 && looked.length < most; at -= 1) {
    const number = uses[at] ?? -1;
    const basket = baskets[number];
    if (basket === undefined || number === ownBasket) continue;
    const weight = Math.exp(-looked.length / decay) / Math.log(1 + Math.max(2, basket.files.length));
    looked.push({ number, basket, weight });
    total += weight;
  }
  for (const use of looked) use.weight /= total;
  return looked;
}

/** A file with a similar path, and its share of the evidence of all such files. */
interface SimilarPath {
  readonly id: number;
  readonly share: number;
}

const MAX_KIN = 20;
/** Maximum number of files that are compared per word, the newest first. */
const MAX_BY_WORD = 200;
const MAX_COMPARED = 600;

/**
 * Used files with the most similar paths. Rare words weigh more. The path may be used with the same files as they are.
 */
export function findSimilarPaths(index: UseIndex, { path, words }: PathParts): readonly SimilarPath[] {
  const own = index.idOf(path);
  const similar = [...sharedWords(index, words)]
    .filter(([id]) => id !== own && index.usesOf(id).length > 0)
    .map(([id, shared]) => ({ id, likeness: shared ** 2 / (allWords(index, id) + 1) }))
    .sort((a, b) => b.likeness - a.likeness || a.id - b.id)
    .slice(0, MAX_KIN);
  const total = similar.reduce((sum, { likeness }) => sum + likeness, 0);
  return total === 0 ? [] : similar.map(({ id, likeness }) => ({ id, share: likeness / total }));
}

/** Total rarity of these words in the path of each file. */
function sharedWords(index: UseIndex, words: readonly string[]): ReadonlyMap<number, number> {
  const shared = new Map<number, number>();
  const rarest = words
    .map((word) => ({ files: index.withWord(word), rarity: index.rarity(word) }))
    .sort((a, b) => b.rarity - a.rarity);
  let left = MAX_COMPARED;
  for (const { files, rarity } of rarest) {
    if (left <= 0) break;
    const some = files.slice(-Math.min(MAX_BY_WORD, left));
    for (const id of some) shared.set(id, (shared.get(id) ?? 0) + rarity);
    left -= some.length;
  }
  return shared;
}

function allWords(index: UseIndex, id: number): number {
  return index.files[id]?.words.reduce((sum, word) => sum + index.rarity(word), 0) ?? 0;
}
