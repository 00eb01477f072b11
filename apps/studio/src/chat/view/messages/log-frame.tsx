import type { FocusEvent, KeyboardEvent, ReactNode, RefObject } from "react";
import { chatCopy } from "../../../copy/chat.ts";
import styles from "./log-frame.module.css";

export interface LogFrameProps {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Called with the key of the row that has the focus. */
  readonly onRow: (key: string | undefined) => void;
  readonly onHome: () => void;
  readonly onEnd: () => void;
  readonly children: ReactNode;
}

/** The scrolling log. Finished answers are announced by the live region, not by rows that come and go. */
export function LogFrame({ scroller, onRow, onHome, onEnd, children }: LogFrameProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === "End") onEnd();
    else if (event.key === "Home") onHome();
    else return;
    event.preventDefault();
  };
  const onFocus = ({ target }: FocusEvent) => onRow(target.closest<HTMLElement>("[data-key]")?.dataset.key);
  return (
    <div
      ref={scroller}
      role="log"
      aria-live="off"
      aria-label={chatCopy.messages}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable
      tabIndex={0}
      className={styles.scroller}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onBlur={() => onRow(undefined)}
    >
      {children}
    </div>
  );
}
