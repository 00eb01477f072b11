import { findIdentifiers } from "../find-identifiers.ts";
import type { Ledger, LedgerChange, LedgerFile, LedgerName } from "../ledger.ts";
import { heatByName, wholePaths } from "../ledger-names.ts";
import { findFile, wasChanged } from "../reduce-outcome.ts";
import type { NoteDraft, NoteItem } from "./note-draft.ts";
import type { NoteReader } from "./note-style.ts";

/** Upper bounds for lists, in tokens of the note. */
interface ListLimits {
  /** For files with their symbols and names together. */
  readonly all: number;
  /** For names in the section of their own. */
  readonly names: number;
  /** True if nothing else is left to say. */
  readonly isLast?: boolean;
}

/** Directories of temporary files and devices: their files are not listed. */
const TEMPORARY = /^(?:\/private)?\/(?:tmp|dev|var\/folders)\//;
/** Tokens for names in the section of their own that even a very short note has. */
const MIN_NAME_TOKENS = 150;
/** Tokens that most names fit into. With fewer left, no more are added. */
const MIN_NAME_ROOM = 6;
/** Maximum number of names beside a file, by reader. */
const MAX_SYMBOLS: Readonly<Record<NoteReader, number>> = { model: 12, person: 4 };
/** Maximum number of names in a section of their own, by reader. */
const MAX_NAMES: Readonly<Record<NoteReader, number>> = { model: Number.POSITIVE_INFINITY, person: 12 };
/** Maximum number of names of a file in a note for a model, if nothing else is left to say. */
const MAX_SYMBOLS_LAST = 36;
/** Number of names that do not fit after which no more are tried. */
const MAX_MISSES = 30;
/** Maximum number of ranks to search for a longer name that contains a shorter one, and maximum extra characters. */
const LOOK_AHEAD = 120;
const MUCH_LONGER = 40;

interface NameListOptions {
  /** Directory that paths are relative to, or "". */
  readonly root: string;
  /** Names by descending importance. */
  readonly ranked: readonly LedgerName[];
  readonly reader?: NoteReader | undefined;
}

/** Adds files and names to the sections of a note, and counts their tokens. */
export class NameLists {
  readonly #ledger: Ledger;
  readonly #draft: NoteDraft;
  readonly #root: string;
  /** Names by descending importance. */
  readonly #ranked: readonly LedgerName[];
  readonly #files: ReadonlyMap<number, LedgerFile>;
  /** Short paths with the whole ones. */
  readonly #wholes: ReadonlyMap<string, string>;
  readonly #symbols = new Map<LedgerFile, number>();
  #tokens = 0;
  #nameTokens = 0;
  #names = 0;
  readonly #reader: NoteReader;
  #isLast = false;

  constructor(ledger: Ledger, draft: NoteDraft, { root, ranked, reader = "model" }: NameListOptions) {
    this.#ledger = ledger;
    this.#draft = draft;
    this.#root = root;
    this.#ranked = reader === "person" ? changedFirst(ranked, ledger.changes ?? []) : ranked;
    this.#reader = reader;
    const inRoot = [...wholePaths(ranked)].filter(([, { text }]) => text.startsWith(`${root}/`));
    this.#wholes = new Map(inRoot.map(([short, whole]) => [short.text, whole.text]));
    this.#files = new Map(ledger.files.map((file) => [file.id, file]));
  }

  /** Tokens in lists so far. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Lists changed files. Those in use and those for which `isFirst` is true come first. */
  addChangedFiles(limit: number, isFirst: (path: string) => boolean): void {
    const heat = heatByName(this.#ledger);
    const changed = this.#ledger.files
      .filter((file) => wasChanged(file) && !TEMPORARY.test(file.path))
      .map((file) => ({ file, isFirst: isFirst(file.path), score: heat(file.path) }))
      .sort((a, b) => Number(b.isFirst) - Number(a.isFirst) || b.score - a.score || b.file.at - a.file.at);
    for (const { file } of changed) {
      if (this.#tokens > limit) return;
      this.#addFile(file);
    }
  }

  /**
   * Lists names that are not in the note yet: paths among the files, names beside the file that has them, others by
   * themselves.
   */
  addNames(limits: ListLimits): void {
    this.#isLast = limits.isLast === true;
    let misses = 0;
    for (const [rank, name] of this.#ranked.entries()) {
      if (this.#tokens >= limits.all || misses > MAX_MISSES) return;
      if (this.#draft.says(withoutRoot(name.text, this.#root))) continue;
      if (!this.#addName(this.#longer(rank, name), limits)) misses += 1;
    }
  }

  /** A longer name of similar rank that contains this one: `state.FilesTouched` for `FilesTouched`. */
  #longer(rank: number, name: LedgerName): LedgerName {
    const rivals = this.#ranked.slice(rank + 1, rank + 1 + LOOK_AHEAD);
    const max = name.text.length + MUCH_LONGER;
    return rivals.find(({ text }) => text.length <= max && text.includes(name.text)) ?? name;
  }

  /** Returns `false` if the name does not fit. A name that may not be listed counts as listed. */
  #addName(entry: LedgerName, { names }: ListLimits): boolean {
    const file = findFile(this.#ledger.files, entry.text);
    if (file !== undefined) return this.#addFile(file);
    const text = withoutRoot(entry.text, this.#root);
    const owner = this.#ownerOf(entry);
    if (owner !== undefined) {
      const before = this.#symbols.get(owner) ?? 0;
      this.#symbols.set(owner, before + 1);
      return (
        this.#add({ section: "files", file: owner, symbol: text, isMore: before >= MAX_SYMBOLS[this.#reader], text }) >
        0
      );
    }
    const most = Math.max(MIN_NAME_TOKENS, names) - this.#nameTokens;
    if (most < MIN_NAME_ROOM || this.#names >= MAX_NAMES[this.#reader]) return true;
    const cost = this.#add({ section: "names", text });
    this.#nameTokens += cost;
    if (cost > 0) this.#names += 1;
    return cost > 0;
  }

  /**
   * The listed file that a name is written beside: the one that the agent last used it with. If nothing else is left to
   * say, that file is listed for its names. A person reads names beside changed files only.
   */
  #ownerOf({ file: home }: LedgerName): LedgerFile | undefined {
    const file = home === undefined ? undefined : this.#files.get(home);
    if (file === undefined || (this.#symbols.get(file) ?? 0) >= this.#maxSymbols) return undefined;
    if (this.#reader === "person" && !wasChanged(file)) return undefined;
    if (this.#draft.hasFile(file)) return file;
    return this.#isLast && !TEMPORARY.test(file.path) && this.#addFile(file) ? file : undefined;
  }

  get #maxSymbols(): number {
    return this.#isLast && this.#reader === "model" ? MAX_SYMBOLS_LAST : MAX_SYMBOLS[this.#reader];
  }

  #addFile(file: LedgerFile): boolean {
    if (this.#draft.hasFile(file)) return true;
    const path = withoutRoot(this.#wholePath(file.path), this.#root);
    const text = file.to === undefined ? path : `${path} to ${withoutRoot(file.to, this.#root)}`;
    return this.#add({ section: "files", file, text }) > 0;
  }

  /** A path relative to another directory than the root, as it is from the root. */
  #wholePath(path: string): string {
    return this.#root === "" ? path : (this.#wholes.get(path) ?? path);
  }

  #add(item: NoteItem): number {
    const cost = this.#draft.add(item);
    this.#tokens += cost;
    return cost;
  }
}

/** The ranking with the names of each file reordered: those in the lines that the last edits added to it come first. */
function changedFirst(ranked: readonly LedgerName[], changes: readonly LedgerChange[]): readonly LedgerName[] {
  const added = new Map<number, Set<string>>();
  for (const { file, lines } of changes) {
    const names = added.get(file) ?? new Set();
    for (const name of findIdentifiers(lines.join("\n")).keys()) names.add(name);
    added.set(file, names);
  }
  const isAdded = ({ file = -1, text }: LedgerName) => added.get(file)?.has(text) === true;
  const byFile = new Map<number | undefined, LedgerName[]>();
  for (const name of [...ranked.filter(isAdded), ...ranked.filter((one) => !isAdded(one))]) {
    const names = byFile.get(name.file) ?? [];
    names.push(name);
    byFile.set(name.file, names);
  }
  return ranked.map((name) => byFile.get(name.file)?.shift() ?? name);
}

/**
 * The directory that paths are relative to: the one to which relative paths were added, else the one that most have in
 * common, by the characters that it saves; "" if it saves none.
 *
 * @example
 * findRoot(["/app/src/a.ts", "/app/src/b.ts", "/etc/hosts"], []); // "/app/src"
 * findRoot(["/app/src/a.ts", "/app/src/b.ts"], ["src/a.ts", "src/b.ts"]); // "/app"
 */
export function findRoot(paths: readonly string[], names: readonly string[]): string {
  const own = workingDirectory(paths, names);
  // If some paths are already relative, another root would be wrong for them.
  return own ?? (paths.every(isAbsolute) ? commonDirectory(paths) : "");
}

/** A root is written into a heading, so it has no spaces or punctuation that would end it there. */
const IS_ROOT = /^[^\s`,)]+$/;

/** The directory of most pairs, at least two, of the absolute and the relative path of a file. */
function workingDirectory(paths: readonly string[], names: readonly string[]): string | undefined {
  const relative = new Set(
    names.map((name) => name.replace(/^\.\//, "")).filter((name) => name.includes("/") && !isAbsolute(name)),
  );
  const votes = new Map<string, number>();
  for (const path of paths) {
    if (!isAbsolute(path)) continue;
    for (let at = path.indexOf("/", 1); at > 0; at = path.indexOf("/", at + 1)) {
      if (!relative.has(path.slice(at + 1))) continue;
      const directory = path.slice(0, at);
      votes.set(directory, (votes.get(directory) ?? 0) + 1);
      break;
    }
  }
  let [root, most]: [string | undefined, number] = [undefined, 1];
  for (const [directory, count] of votes)
    if (count > most && IS_ROOT.test(directory)) [root, most] = [directory, count];
  return root;
}

function commonDirectory(paths: readonly string[]): string {
  const saved = new Map<string, number>();
  for (const path of new Set(paths)) {
    if (!isAbsolute(path)) continue;
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const directory = path.slice(0, end);
      saved.set(directory, (saved.get(directory) ?? -directory.length) + directory.length);
    }
  }
  let [root, most] = ["", 0];
  for (const [directory, characters] of saved) {
    if (characters > most && IS_ROOT.test(directory)) [root, most] = [directory, characters];
  }
  return root;
}

/** A path relative to the root that the heading of the note declares. */
export function withoutRoot(path: string, root: string): string {
  return root !== "" && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:\//.test(path);
}
