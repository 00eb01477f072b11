import { UseIndex } from "../use/use-index.ts";
import type { CommitHistory } from "./commit-history.ts";
import type { SessionUse } from "./session-use.ts";

export interface BuiltIndex {
  readonly index: UseIndex;
  /** Basket numbers by session id. */
  readonly baskets: Map<string, number>;
  /** Time of the newest use, in milliseconds since 1970. */
  newest: number;
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

export function addSession(built: BuiltIndex, { id, from, files, signals, memories }: SessionUse): void {
  const { index, baskets } = built;
  const basket = baskets.get(id) ?? index.add([], { isOrdered: true });
  baskets.set(id, basket);
  built.newest = Math.max(built.newest, from);
  for (const file of files) index.touch(basket, file);
  for (const [signal, before] of signals) index.mark(basket, signal, before);
  for (const memory of memories) index.cite(basket, memory);
}
