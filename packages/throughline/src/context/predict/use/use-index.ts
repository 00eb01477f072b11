import { type PathParts, readPath } from "./path-parts.ts";
import { NamingHabits } from "./naming-habits.ts";

/** What was used together: the files of a commit, or of a session in the order in which it touched them. */
export interface Basket {
  /** Milliseconds since 1970. */
  at: number;
  readonly files: number[];
  /** In a session the order tells what came next. */
  readonly isOrdered: boolean;
  /** How many files before one its name is held against. */
  readonly compared: number;
}

/** Names of a session's last files tell of habits, and those of a small commit; those of a large one do not. */
const LAST_FILES = 8;
const SMALL_COMMIT = 12;

/** Which files were used together, looked up by file, folder, word, name and by what went with it. */
export class UseIndex {
  readonly files: PathParts[] = [];
  readonly baskets: Basket[] = [];
  readonly habits = new NamingHabits();
  readonly #ids = new Map<string, number>();
  /** Baskets of each file, the newest last. */
  readonly #uses: number[][] = [];
  /** Baskets of a folder and of all above it. */
  readonly #folderUses = new Map<string, number[]>();
  readonly #signalUses = new Map<string, number[]>();
  readonly #inFolder = new Map<string, number[]>();
  readonly #byWord = new Map<string, number[]>();
  readonly #byCore = new Map<string, number[]>();
  readonly #byName = new Map<string, string[]>();
  readonly #extensions = new Set<string>();

  idOf(path: string): number | undefined {
    return this.#ids.get(path);
  }

  /** Makes a file known, whether it was used or not. */
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

  /** Adds what was used together; what is added last counts as the newest. */
  add(paths: readonly string[], { at, isOrdered = false }: { readonly at: number; readonly isOrdered?: boolean }): number {
    const basket = this.baskets.length;
    const compared = isOrdered ? LAST_FILES : paths.length <= SMALL_COMMIT ? SMALL_COMMIT : 0;
    this.baskets.push({ at, files: [], isOrdered, compared });
    for (const path of paths) this.touch(basket, path);
    return basket;
  }

  /** One more file of a basket. */
  touch(basket: number, path: string): void {
    const { files, compared } = this.baskets[basket] ?? { files: [], compared: 0 };
    const id = this.know(path);
    const parts = this.files[id];
    if (parts === undefined || files.includes(id)) return;
    if (compared > 0) this.habits.learn(parts, files.slice(-compared).flatMap((one) => this.files[one] ?? []));
    files.push(id);
    insert(this.#uses[id] ?? [], basket);
    for (let { folder } = parts; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
      const uses = this.#folderUses.get(folder) ?? [];
      this.#folderUses.set(folder, uses);
      if (insert(uses, basket) || folder === "") break;
    }
  }

  /** Something that was so while a basket was filled: its branch, an error, an hour. */
  mark(basket: number, signal: string): void {
    const uses = this.#signalUses.get(signal) ?? [];
    this.#signalUses.set(signal, uses);
    insert(uses, basket);
  }

  usesOf(id: number): readonly number[] {
    return this.#uses[id] ?? [];
  }

  usesOfFolder(folder: string): readonly number[] {
    return this.#folderUses.get(folder) ?? [];
  }

  usesOfSignal(signal: string): readonly number[] {
    return this.#signalUses.get(signal) ?? [];
  }

  filesIn(folder: string): readonly number[] {
    return this.#inFolder.get(folder) ?? [];
  }

  withWord(word: string): readonly number[] {
    return this.#byWord.get(word) ?? [];
  }

  withCore(core: string): readonly number[] {
    return this.#byCore.get(core) ?? [];
  }

  /** Paths of files with this name. */
  named(name: string): readonly string[] {
    return this.#byName.get(name) ?? [];
  }

  hasExtension(extension: string): boolean {
    return this.#extensions.has(extension.toLowerCase());
  }

  hasFolder(folder: string): boolean {
    return this.#folderUses.has(folder) || this.#inFolder.has(folder);
  }

  /** How much a word of a path tells. */
  rarity(word: string): number {
    return Math.log((this.files.length + 1) / (this.withWord(word).length + 1));
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

/** Puts a number where it belongs in a list that is in order; `true` where it is there already. */
function insert(values: number[], value: number): boolean {
  let at = values.length;
  while (at > 0 && (values[at - 1] ?? 0) > value) at -= 1;
  if (at > 0 && values[at - 1] === value) return true;
  values.splice(at, 0, value);
  return false;
}
