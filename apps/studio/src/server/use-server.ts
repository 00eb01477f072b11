import { useCallback, useEffect, useRef, useState } from "react";
import { frameCopy } from "../copy/frame.ts";
import { askServer, ServerProblem } from "./ask-server.ts";

interface Loaded<T> {
  /** The last result for this key; the old one stays while a new one is read. */
  readonly value: T | undefined;
  readonly problem: string | undefined;
  readonly reload: () => void;
}

interface LoadOptions {
  /** A change reads again. */
  readonly version: number;
  readonly explain: (error: unknown) => string;
}

/** Reads data, again if the key or `version` changes and after `reload`. Without a key, nothing is read. */
export function useLoaded<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
  { version, explain }: LoadOptions,
): Loaded<T> {
  const [state, setState] = useState<{ readonly key: string; readonly value?: T; readonly problem?: string }>();
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the request
  useEffect(() => {
    if (key === undefined) return undefined;
    const ended = new AbortController();
    load(ended.signal).then(
      (value) => !ended.signal.aborted && setState({ key, value }),
      (error: unknown) => !ended.signal.aborted && setState({ key, problem: explain(error) }),
    );
    return () => ended.abort();
  }, [key, version, turn]);
  const reload = useCallback(() => setTurn((last) => last + 1), []);
  const current = state?.key === key ? state : undefined;
  return { value: current?.value, problem: current?.problem, reload };
}

/** Reads a path of the server. */
export function useServer<T>(path: string | undefined, version = 0) {
  const load = (signal: AbortSignal) => askServer<T>(path ?? "", { signal });
  const { value: data, problem, reload } = useLoaded(path, load, { version, explain: wordsOf });
  return { data, problem, reload };
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
