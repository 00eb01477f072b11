import { useMemo } from "react";
import { useSnapshot } from "./use-snapshot.ts";

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
