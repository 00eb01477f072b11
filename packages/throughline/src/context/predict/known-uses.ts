import { createSequentialQueue } from "../../internal/concurrency.ts";
import { type Caller, spaceOf } from "../../memory/space/spaces.ts";
import type { Clock } from "../../ports/clock.ts";
import type { DocumentStore } from "../../ports/store.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { type CommitHistory, HistoryStore, type Learned, type LearnOptions } from "./history-store.ts";
import { isBranchSignal } from "./read-signal.ts";
import { type SessionNews, type SessionUse, SessionUses } from "./session-uses.ts";
import { UseIndex } from "./use-index.ts";

export interface BuiltIndex {
  readonly index: UseIndex;
  /** Basket numbers by session id. */
  readonly baskets: Map<string, number>;
  /** Time of the newest use, in milliseconds since 1970. */
  newest: number;
}

/** Milliseconds after which data of other processes is read again. */
const MAX_AGE = 60_000;
/** Milliseconds into the future after which a session's time is considered a wrong clock. */
const MAX_CLOCK_ERROR = 86_400_000;

/** Learned data: stored documents and an index over them. Operations are serialized. */
export class KnownUses {
  readonly #openHistory: () => HistoryStore;
  readonly #history: HistoryStore;
  readonly #sessions: SessionUses;
  readonly #clock: Clock;
  #built: BuiltIndex | undefined;
  #refreshedAt: number | undefined;
  readonly #enqueue = createSequentialQueue();

  constructor(documents: DocumentStore, caller: Caller, clock: Clock) {
    const own = spaceOf("user-private", caller);
    const shared = caller.projectId === undefined ? own : spaceOf("project-shared", caller);
    this.#openHistory = () => new HistoryStore(documents, shared);
    this.#history = this.#openHistory();
    this.#sessions = new SessionUses(documents, own, caller.projectId);
    this.#clock = clock;
  }

  open(): Promise<BuiltIndex> {
    return this.#enqueue(() => this.#open());
  }

  sessionOf(sessionId: string): SessionUse | undefined {
    return this.#sessions.find(sessionId);
  }

  /**
   * The given session if it used files before, else the last active one on the branch. On a new branch there is none.
   */
  async lastSession(sessionId: string | undefined, branch: string | undefined): Promise<SessionUse | undefined> {
    await this.open();
    const own = sessionId === undefined ? undefined : this.#sessions.find(sessionId);
    if (own !== undefined && own.files.length > 0) return own;
    const until = this.#clock.now() + MAX_CLOCK_ERROR;
    const touched = this.#sessions.sessions.filter(({ files, to }) => files.length > 0 && to <= until);
    const inOrder = touched.toSorted((a, b) => a.to - b.to || (a.id < b.id ? -1 : 1));
    const same = inOrder.findLast(({ signals }) => signals.some(([signal]) => signal === branch));
    // On a new branch, the last session worked on something else.
    const isNew = branch !== undefined && same === undefined && inOrder.some(hasBranch);
    return isNew ? undefined : (same ?? inOrder.at(-1));
  }

  note(news: SessionNews): Promise<void> {
    return this.#enqueue(async () => {
      const built = await this.#open();
      const { isAlone } = await this.#sessions.note(news);
      const session = this.#sessions.find(news.sessionId);
      const isInOrder = built.baskets.has(news.sessionId) || news.at >= built.newest;
      if (isAlone && isInOrder && session !== undefined) addSession(built, session);
      else this.#built = undefined;
    });
  }

  /** Learns outside of the queue, because a long history takes time. Predictions use the known data meanwhile. */
  async learnHistory(workspace: Workspace, options?: LearnOptions): Promise<Learned> {
    const learned = await this.#openHistory().learn(workspace, options);
    await this.#enqueue(async () => {
      if (await this.#history.refresh()) this.#built = undefined;
    });
    return learned;
  }

  forget(sessionId: string): Promise<void> {
    return this.#enqueue(async () => {
      await this.#sessions.forget(sessionId);
      this.#built = undefined;
    });
  }

  async #open(): Promise<BuiltIndex> {
    const now = this.#clock.now();
    if (this.#refreshedAt === undefined || Math.abs(now - this.#refreshedAt) >= MAX_AGE) {
      const news = await Promise.all([this.#history.refresh(), this.#sessions.refresh()]);
      if (news.includes(true)) this.#built = undefined;
      this.#refreshedAt = now;
    }
    this.#built ??= buildIndex(this.#history.history, this.#sessions.sessions);
    return this.#built;
  }
}

/** True if it is known on which branch a session worked. */
function hasBranch({ signals }: SessionUse): boolean {
  return signals.some(([signal]) => isBranchSignal(signal));
}

/** Builds the index from commits and sessions in chronological order. Commits keep their topological order. */
export function buildIndex(history: CommitHistory, sessions: readonly SessionUse[]): BuiltIndex {
  const built: BuiltIndex = { index: new UseIndex(), baskets: new Map(), newest: 0 };
  const waiting = sessions.toSorted((a, b) => a.from - b.from || (a.id < b.id ? -1 : 1));
  let next = 0;
  const addSessionsBefore = (time: number): void => {
    for (let session = waiting[next]; session !== undefined && session.from < time; session = waiting[next]) {
      addSession(built, session);
      next += 1;
    }
  };
  for (const { at, files, isGiant } of history.commits) {
    built.newest = Math.max(built.newest, at * 1_000);
    addSessionsBefore(built.newest);
    const paths = files.map((file) => history.pathOf(file));
    if (isGiant) for (const path of paths) built.index.know(path);
    else if (paths.length > 0) built.index.add(paths);
  }
  for (const path of history.gone) built.index.lose(path);
  addSessionsBefore(Number.POSITIVE_INFINITY);
  return built;
}

function addSession(built: BuiltIndex, { id, from, files, signals, memories }: SessionUse): void {
  const { index, baskets } = built;
  const basket = baskets.get(id) ?? index.add([], { isOrdered: true });
  baskets.set(id, basket);
  built.newest = Math.max(built.newest, from);
  for (const file of files) index.touch(basket, file);
  for (const [signal, before] of signals) index.mark(basket, signal, before);
  for (const memory of memories) index.cite(basket, memory);
}
