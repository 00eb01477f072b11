import { arrayField, isRecord, stringField } from "../../../internal/json.ts";
import type { Commit } from "../../../ports/workspace.ts";

/** Maximum number of commits. The newest are kept. */
export const MAX_COMMITS = 5_000;
/** In a larger commit, files are not considered related; only their names are kept. */
const MAX_TOGETHER = 50;
const MAX_NAMES = 2_000;
const MAX_PATH_LENGTH = 400;

/** A stored commit. */
export interface KeptCommit {
  /** First 12 hex digits of its id, as a number. */
  readonly id: number;
  /** Seconds since 1970. */
  readonly at: number;
  /** Numbers of its files. */
  files: readonly number[];
  readonly isGiant: boolean;
}

/** Commit history as plain data: each path once, and commits as lists of path numbers. */
export interface HistoryDocument {
  readonly version: 1;
  /** Id of the last commit that was read. */
  readonly head: string;
  readonly files: readonly string[];
  /** Numbers of deleted files. */
  readonly gone: readonly number[];
  /** `[id, seconds, 1 for a giant, …files]`, the oldest first. */
  readonly commits: readonly (readonly number[])[];
}

/** Bounded commit history for prediction. It follows renames. */
export class CommitHistory {
  #head = "";
  #commits: KeptCommit[] = [];
  #paths: string[] = [];
  #numbers = new Map<string, number>();
  #gone = new Set<number>();
  #known = new Set<number>();

  /** Reads a stored history. Empty if the value is not valid. */
  static read(value: unknown): CommitHistory {
    const history = new CommitHistory();
    const files = isRecord(value) ? arrayField(value, "files") : undefined;
    const commits = isRecord(value) ? arrayField(value, "commits") : undefined;
    if (!isRecord(value) || value.version !== 1 || files === undefined || commits === undefined) return history;
    history.#head = stringField(value, "head") ?? "";
    for (const path of files) history.#numberOf(String(path));
    history.#gone = new Set((arrayField(value, "gone") ?? []).map(Number));
    for (const commit of commits) {
      const [id = 0, at = 0, isGiant = 0, ...own] = Array.isArray(commit) ? commit.map(Number) : [];
      history.#keep({ id, at, isGiant: isGiant === 1, files: own });
    }
    return history;
  }

  get head(): string {
    return this.#head;
  }

  get commits(): readonly KeptCommit[] {
    return this.#commits;
  }

  pathOf(file: number): string {
    return this.#paths[file] ?? "";
  }

  get gone(): readonly string[] {
    return [...this.#gone].map((file) => this.pathOf(file));
  }

  has({ id }: Pick<Commit, "id">): boolean {
    return this.#known.has(shortId(id));
  }

  add({ id, at, files, renames, removed = [] }: Commit): void {
    this.#head = id;
    for (const { from, to } of renames) this.#rename(from, to);
    const usable = files.filter((path) => path.length <= MAX_PATH_LENGTH).slice(0, MAX_NAMES);
    const numbers = usable.map((path) => this.#numberOf(path));
    for (const number of numbers) this.#gone.delete(number);
    for (const path of removed) {
      const number = this.#numbers.get(path);
      if (number !== undefined) this.#gone.add(number);
    }
    const isGiant = files.length > MAX_TOGETHER;
    this.#keep({ id: shortId(id), at: Math.floor(at / 1_000), files: numbers, isGiant });
  }

  /** Canonical document: the same commits give the same document, regardless of how they were learned. */
  toDocument(): HistoryDocument {
    const kept = this.#commits.slice(-MAX_COMMITS);
    const renumbered = new Map<number, number>();
    const numberOf = (file: number): number => {
      const known = renumbered.get(file) ?? renumbered.size;
      renumbered.set(file, known);
      return known;
    };
    const commits = kept.map(({ id, at, isGiant, files }) => [id, at, isGiant ? 1 : 0, ...files.map(numberOf)]);
    const files = [...renumbered.keys()].map((file) => this.pathOf(file));
    const gone = [...this.#gone].flatMap((file) => renumbered.get(file) ?? []).sort((a, b) => a - b);
    return { version: 1, head: this.#head, files, gone, commits };
  }

  #keep(commit: KeptCommit): void {
    this.#commits.push(commit);
    this.#known.add(commit.id);
  }

  #numberOf(path: string): number {
    const known = this.#numbers.get(path);
    if (known !== undefined) return known;
    this.#numbers.set(path, this.#paths.length);
    return this.#paths.push(path) - 1;
  }

  /** Moves the history of a file to its new name. */
  #rename(from: string, to: string): void {
    const number = this.#numbers.get(from);
    if (number === undefined || from === to || to.length > MAX_PATH_LENGTH) return;
    const taken = this.#numbers.get(to);
    this.#numbers.delete(from);
    this.#numbers.set(to, number);
    this.#paths[number] = to;
    this.#gone.delete(number);
    if (taken === undefined) return;
    // A file with the new name existed before: the two are merged.
    this.#gone.delete(taken);
    for (const commit of this.#commits) {
      if (!commit.files.includes(taken)) continue;
      commit.files = [...new Set(commit.files.map((file) => (file === taken ? number : file)))];
    }
  }
}

/** Twelve hex digits identify a commit and fit into a number. */
function shortId(id: string): number {
  return Number.parseInt(id.slice(0, 12), 16) || 0;
}
