import { useEffect } from "react";
import { modelCopy } from "../../copy/models.ts";
import { announce } from "../../ui/announce.ts";
import type { ModelLoading } from "../chat-model.ts";

/** Announces the progress of a download to screen readers, by quarters. */
export function useSpokenProgress(loading: ModelLoading | undefined): void {
  const label = loading?.label;
  const quarter = loading?.progress === undefined ? undefined : Math.floor(loading.progress * 4);
  useEffect(() => {
    if (label !== undefined && quarter !== undefined) announce(modelCopy.progress(label, quarter * 25));
  }, [label, quarter]);
}
