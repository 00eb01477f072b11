import { COMMIT_HISTORY, type DocumentStore } from "../../../ports/document-store.ts";
import type { Commit, Workspace } from "../../../ports/workspace.ts";
import { CommitHistory, MAX_COMMITS } from "./commit-history.ts";

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
