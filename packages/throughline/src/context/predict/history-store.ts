import { arrayField, isRecord, stringField } from "../../internal/json.ts";
import { COMMIT_HISTORY, type DocumentStore } from "../../ports/store.ts";
import type { Commit, Workspace } from "../../ports/workspace.ts";

/** Maximum number of commits. The newest are kept. */
export const MAX_COMMITS = 5_000;

/** Maximum number of attempts. If two processes learn concurrently, the slower one restarts from the other's result. */
const MAX_TRIES = 10;
const PROGRESS_EVERY = 200;

/** Options of `tl.context.learnHistory`. */
export interface LearnOptions {
  /** Aborts the run. */
  readonly signal?: AbortSignal;
  /** Called every 200 commits and at the end. */
  readonly onProgress?: (progress: { readonly commits: number }) => void;
}

/** Result of `tl.context.learnHistory`. */
export interface Learned {
  /** Number of new commits. */
  readonly read: number;
  /** Number of all known commits. */
  readonly kept: number;
}

/** Commit history of a project, stored in a document of its space. */
export class HistoryStore {
  readonly #documents: DocumentStore;
  readonly #space: string;
  #revision = -1;
  #history = CommitHistory.read(undefined);

  constructor(documents: DocumentStore, space: string) {
    this.#documents = documents;
    this.#space = space;
  }

  get history(): CommitHistory {
    return this.#history;
  }

  /** Reads the stored history. Returns true if it has changed. */
  async refresh(): Promise<boolean> {
    const { revision, value } = (await this.#documents.get(this.#space, COMMIT_HISTORY)) ?? {
      revision: 0,
      value: undefined,
    };
    if (revision === this.#revision) return false;
    this.#history = CommitHistory.read(value);
    this.#revision = revision;
    return true;
  }

  /** Reads new commits and stores them. */
  async learn(workspace: Workspace, options: LearnOptions = {}): Promise<Learned> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      await this.refresh();
      const { commits, isWhole } = await readNew(workspace, this.#history, options);
      if (commits.length === 0) break;
      const history = CommitHistory.read(isWhole ? undefined : this.#history.toDocument());
      for (const commit of commits) history.add(commit);
      const value = history.toDocument();
      if (await this.#documents.put(this.#space, COMMIT_HISTORY, { revision: this.#revision, value })) {
        this.#history = CommitHistory.read(value);
        this.#revision += 1;
        return { read: commits.length, kept: value.commits.length };
      }
    }
    return { read: 0, kept: this.#history.commits.length };
  }
}

interface NewCommits {
  readonly commits: readonly Commit[];
  /** True if these are all commits of the project, which replace the known history. */
  readonly isWhole: boolean;
}

async function readNew(workspace: Workspace, known: CommitHistory, options: LearnOptions): Promise<NewCommits> {
  const isFirst = known.head === "";
  const commits = await readCommits(workspace, options, isFirst ? undefined : known.head);
  if (isFirst || commits.some((commit) => known.has(commit))) return { commits, isWhole: true };
  const oldest = known.commits[0]?.at ?? 0;
  const [first] = commits;
  // A rewritten history has other ids throughout, and so can a branch with an old base.
  if (first === undefined || first.at / 1_000 > oldest) return { commits, isWhole: false };
  return { commits: await readCommits(workspace, options), isWhole: true };
}

async function readCommits(
  workspace: Workspace,
  { signal, onProgress }: LearnOptions,
  since?: string,
): Promise<readonly Commit[]> {
  const commits: Commit[] = [];
  const range = { limit: MAX_COMMITS, ...(since !== undefined && { since }), ...(signal && { signal }) };
  for await (const commit of workspace.history(range)) {
    // Messages are not needed here and can be long.
    commits.push({ ...commit, subject: "", body: "" });
    if (commits.length % PROGRESS_EVERY === 0) onProgress?.({ commits: commits.length });
  }
  onProgress?.({ commits: commits.length });
  return commits;
}

/** In a larger commit, files are not considered related; only their names are kept. */
const MAX_TOGETHER = 50;
const MAX_NAMES = 2_000;
const MAX_PATH_LENGTH = 400;

/** A stored commit. */
interface KeptCommit {
  /** First 12 hex digits of its id, as a number. */
  readonly id: number;
  /** Seconds since 1970. */
  readonly at: number;
  files: readonly number[];
  readonly isGiant: boolean;
}

/** Commit history as plain data: each path once, and commits as lists of path numbers. */
interface HistoryDocument {
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
