import { useCallback, useEffect, useRef, useState } from "react";
import { askServer } from "./ask-server.ts";
import { wordsOf } from "./use-server.ts";

interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

export interface Pages<T, P> {
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
