import { useCallback, useSyncExternalStore } from "react";

/** Anything with a state that can be watched. */
export interface Watched<State> {
  subscribe(listener: () => void): () => void;
  getSnapshot(): State;
}

/** Subscribes a component to the state of a store. */
export function useSnapshot<State>(source: Watched<State>): State {
  const subscribe = useCallback((listener: () => void) => source.subscribe(listener), [source]);
  const read = useCallback(() => source.getSnapshot(), [source]);
  return useSyncExternalStore(subscribe, read);
}
