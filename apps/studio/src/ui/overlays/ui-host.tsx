import { useSyncExternalStore } from "react";
import { announcements } from "../announce.ts";
import { TooltipHost } from "../controls/icon-button.tsx";
import { VisuallyHidden } from "../visually-hidden.tsx";

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
