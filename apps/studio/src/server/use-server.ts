import { useCallback, useEffect, useRef, useState } from "react";
import { frameCopy } from "../copy/frame.ts";
import { askServer, ServerProblem } from "./ask-server.ts";

interface ServerData<T> {
  /** The last answer for this path. */
  readonly data: T | undefined;
  readonly problem: string | undefined;
  readonly reload: () => void;
}

/**
 * Reads a path of the server, again if the path or `version` changes and after `reload`. The old data stays until the
 * response arrives. Without a path, nothing is read.
 */
export function useServer<T>(path: string | undefined, version = 0): ServerData<T> {
  const [state, setState] = useState<{ readonly path: string; readonly data?: T; readonly problem?: string }>();
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn asks again
  useEffect(() => {
    if (path === undefined) return undefined;
    const ended = new AbortController();
    askServer<T>(path, { signal: ended.signal }).then(
      (data) => setState({ path, data }),
      (error: unknown) => {
        if (!ended.signal.aborted) setState({ path, problem: wordsOf(error) });
      },
    );
    return () => ended.abort();
  }, [path, version, turn]);
  const reload = useCallback(() => setTurn((last) => last + 1), []);
  const isCurrent = state !== undefined && state.path === path;
  return { data: isCurrent ? state.data : undefined, problem: isCurrent ? state.problem : undefined, reload };
}

const PAUSE = 500;

const EVENTS = ["created", "appended", "compacted", "pruned", "restored", "edited", "purged"].map(
  (name) => `session:${name}`,
);

/** Calls back after events of sessions, and at most twice a second. */
export function useSessionEvents(onEvent: () => void): void {
  useEffect(() => {
    const events = new EventSource("/events");
    let timer: ReturnType<typeof setTimeout> | undefined;
    const note = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        onEvent();
      }, PAUSE);
    };
    for (const type of EVENTS) events.addEventListener(type, note);
    return () => {
      clearTimeout(timer);
      events.close();
    };
  }, [onEvent]);
}

/** Message about a failed request for the user. */
export function wordsOf(error: unknown): string {
  return error instanceof ServerProblem ? error.message : frameCopy.server.failed;
}

interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

interface Pages<T, P> {
  readonly items: readonly T[];
  /** The first page, with the fields besides its items. */
  readonly first: P | undefined;
  readonly problem: string | undefined;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

interface PagesState<T, P> {
  readonly path: string;
  readonly items: readonly T[];
  readonly first?: P;
  readonly cursor: string | null;
  readonly problem?: string;
}

/**
 * Reads a list of the server page by page. `turn` reads it again and shows the old items until the response arrives.
 */
export function usePages<T, P extends Page<T>>(path: string, turn = 0): Pages<T, P> {
  const [state, setState] = useState<PagesState<T, P>>({ path: "", items: [], cursor: null });
  const loading = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn asks again
  useEffect(() => {
    const ended = new AbortController();
    loading.current = true;
    askServer<P>(path, { signal: ended.signal })
      .then(
        (first) => setState({ path, items: first.items, first, cursor: first.next_cursor }),
        (error: unknown) => {
          if (!ended.signal.aborted) setState({ path, items: [], cursor: null, problem: wordsOf(error) });
        },
      )
      .finally(() => {
        if (!ended.signal.aborted) loading.current = false;
      });
    return () => ended.abort();
  }, [path, turn]);
  const isCurrent = state.path === path;
  const { cursor } = state;
  const loadMore = useCallback(() => {
    if (loading.current || cursor === null) return;
    loading.current = true;
    const next = `${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
    askServer<P>(next)
      .then(({ items, next_cursor }) =>
        setState((last) =>
          last.cursor === cursor ? { ...last, items: [...last.items, ...items], cursor: next_cursor } : last,
        ),
      )
      .catch(() => undefined)
      .finally(() => {
        loading.current = false;
      });
  }, [path, cursor]);
  return {
    items: isCurrent ? state.items : [],
    first: isCurrent ? state.first : undefined,
    problem: isCurrent ? state.problem : undefined,
    hasMore: isCurrent && cursor !== null,
    loadMore,
  };
}
