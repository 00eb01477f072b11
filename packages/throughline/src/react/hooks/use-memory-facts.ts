import { useCallback, useEffect, useSyncExternalStore } from "react";
import type { FactBook, FactBookState } from "../../chat/book/fact-book.ts";

/**
 * What a book shows right now. It reads anew when the tab becomes active: another one may have changed something.
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
