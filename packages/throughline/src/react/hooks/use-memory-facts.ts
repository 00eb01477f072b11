import { useCallback, useEffect, useSyncExternalStore } from "react";
import type { FactBook, FactBookState } from "../../chat/fact-book/fact-book.ts";

/**
 * Returns the state of a fact book and renders again when it changes. Reloads the facts when the tab becomes visible,
 * because another tab may have changed them.
 *
 * @param book Fact book from `createFactBook`.
 *
 * @example
 * const { facts, removals, clearing } = useMemoryFacts(book);
 */
export function useMemoryFacts(book: FactBook): FactBookState {
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === "visible") void book.refresh();
    };
    document.addEventListener("visibilitychange", refresh);
    return () => document.removeEventListener("visibilitychange", refresh);
  }, [book]);
  const subscribe = useCallback((listener: () => void) => book.subscribe(listener), [book]);
  const read = useCallback(() => book.getSnapshot(), [book]);
  return useSyncExternalStore(subscribe, read, read);
}
