import { useEffect } from "react";
import { announce } from "../../ui/announce.ts";
import type { ModelLoading } from "../chat-model.ts";

/** Tells those who hear the page how far a download is: each quarter, and not each percent. */
export function useSpokenProgress(loading: ModelLoading | undefined): void {
  const label = loading?.label;
  const quarter = loading?.progress === undefined ? undefined : Math.floor(loading.progress * 4);
  useEffect(() => {
    if (label !== undefined && quarter !== undefined) announce(`${label}: ${quarter * 25}%`);
  }, [label, quarter]);
}
