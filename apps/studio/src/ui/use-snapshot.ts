import { useCallback, useMemo, useSyncExternalStore } from "react";

/** Anything with a state that can be watched. */
interface Watched<State> {
  subscribe(listener: () => void): () => void;
  getSnapshot(): State;
}

/** Subscribes a component to the state of a store. */
export function useSnapshot<State>(source: Watched<State>): State {
  const subscribe = useCallback((listener: () => void) => source.subscribe(listener), [source]);
  const read = useCallback(() => source.getSnapshot(), [source]);
  return useSyncExternalStore(subscribe, read);
}

/** Below this width the list of conversations is a drawer. */
export const NARROW = "(max-width: 799.9px)";

/** Follows a media query. */
export function useMedia(query: string): boolean {
  const watched = useMemo(() => {
    const media = window.matchMedia(query);
    return {
      subscribe(listener: () => void) {
        media.addEventListener("change", listener);
        return () => media.removeEventListener("change", listener);
      },
      getSnapshot: () => media.matches,
    };
  }, [query]);
  return useSnapshot(watched);
}
