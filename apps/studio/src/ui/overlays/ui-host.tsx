import { useSyncExternalStore } from "react";
import { announcements } from "../announce.ts";
import { VisuallyHidden } from "../visually-hidden.tsx";
import { TooltipHost } from "./tooltip.tsx";

/** Tooltip provider and live region, once per page. */
export function UiHost() {
  const { text, turn } = useSyncExternalStore(announcements.subscribe, announcements.getSnapshot);
  return (
    <>
      <VisuallyHidden role="status" aria-live="polite">
        <span key={turn}>{text}</span>
      </VisuallyHidden>
      <TooltipHost />
    </>
  );
}
