import { type FocusEvent, type ReactNode, useEffect, useRef } from "react";
import type { FactBook, Removal } from "../../chat/fact-book/fact-book.ts";
import { countMemories, showFact } from "./format-memories.ts";

/** Props of `RemovalNotice`. */
export interface RemovalNoticeProps {
  /** Fact book of the removal. */
  readonly book: FactBook;
  /** The removal, from the state of the fact book. */
  readonly removal: Removal;
  /** Called after the user clicked Undo. The facts are restored without it. */
  readonly onUndo?: ((removal: Removal) => void) | undefined;
  /** Class names of the elements. */
  readonly classNames?: {
    readonly notice?: string | undefined;
    readonly words?: string | undefined;
    readonly undo?: string | undefined;
    readonly timer?: string | undefined;
  };
}

/** Time for which a removal is shown, in milliseconds. */
const FULL_TIME = 4_000;

/**
 * Notice about deleted facts with an Undo button. Its time stops while the pointer or the focus is on it.
 *
 * @param props Fact book, removal, callback and class names.
 *
 * @example
 * const { removals } = useMemoryFacts(book);
 * const notices = removals.map((removal) => <RemovalNotice key={removal.id} book={book} removal={removal} />);
 */
export function RemovalNotice({ book, removal, onUndo, classNames = {} }: RemovalNoticeProps): ReactNode {
  const { id, facts, remaining, isPaused } = removal;
  const holds = useRef({ mouse: false, focus: false });
  const hold = (by: "mouse" | "focus", isHeld: boolean) => {
    holds.current[by] = isHeld;
    if (holds.current.mouse || holds.current.focus) book.pauseRemoval(id);
    else book.resumeRemoval(id);
  };
  // A notice that is removed while it is paused would never continue.
  useEffect(() => () => book.resumeRemoval(id), [book, id]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only takes its time; what can be done is the button
    <div
      className={classNames.notice}
      data-paused={isPaused}
      onMouseEnter={() => hold("mouse", true)}
      onMouseLeave={() => hold("mouse", false)}
      onFocus={() => hold("focus", true)}
      onBlur={(event) => hold("focus", staysInside(event))}
    >
      <p className={classNames.words}>
        {facts.length === 1 ? `Deleted “${showFact(facts[0]?.fact ?? "")}”` : `Deleted ${countMemories(facts.length)}`}
      </p>
      <button
        type="button"
        className={classNames.undo}
        onClick={() => {
          void book.undoRemoval(id);
          onUndo?.(removal);
        }}
      >
        Undo
      </button>
      <span
        aria-hidden="true"
        className={classNames.timer}
        style={{
          animationDuration: `${FULL_TIME}ms`,
          animationDelay: `${remaining - FULL_TIME}ms`,
          animationPlayState: isPaused ? "paused" : "running",
        }}
      />
    </div>
  );
}

function staysInside({ currentTarget, relatedTarget }: FocusEvent): boolean {
  return relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
}
