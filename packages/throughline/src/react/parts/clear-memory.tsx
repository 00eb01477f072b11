import { type FocusEvent, type ReactNode, type Ref, useEffect, useId, useRef, useState } from "react";
import type { FactBook, PendingClear, Removal } from "../../chat/fact-book/fact-book.ts";
import { countMemories, showFact } from "./format-memories.ts";

/** Props of `ClearMemory`. */
export interface ClearMemoryProps {
  /** Number of facts. The button is disabled at 0. */
  readonly count: number;
  /** Called after the user confirmed. */
  readonly onClear: () => void;
  /** Content of the button. Default: "Clear all memory". */
  readonly triggerLabel?: ReactNode;
  /** Class names of the elements. */
  readonly classNames?: {
    readonly trigger?: string | undefined;
    readonly confirmation?: string | undefined;
    readonly question?: string | undefined;
    readonly confirm?: string | undefined;
    readonly cancel?: string | undefined;
  };
}

/**
 * Button that deletes all memories, after a confirmation in its place that names their number.
 *
 * @param props Number of facts, callback, label and class names.
 *
 * @example
 * const clear = <ClearMemory count={facts.length} onClear={() => void book.clear()} />;
 */
export function ClearMemory(props: ClearMemoryProps): ReactNode {
  const { count, onClear, triggerLabel, classNames = {} } = props;
  const [state, setState] = useState<"quiet" | "asking" | "answered">("quiet");
  if (state === "asking") {
    return (
      <Question
        {...props}
        onClear={() => {
          setState("quiet");
          onClear();
        }}
        onKeep={() => setState("answered")}
      />
    );
  }
  return (
    <button
      type="button"
      // The question went away, and the focus with it.
      ref={(element) => (state === "answered" ? element?.focus() : undefined)}
      className={classNames.trigger}
      disabled={count === 0}
      onClick={() => setState("asking")}
      onBlur={() => setState("quiet")}
    >
      {triggerLabel ?? "Clear all memory"}
    </button>
  );
}

function Question({ count, onClear, onKeep, classNames = {} }: ClearMemoryProps & { readonly onKeep: () => void }) {
  const questionId = useId();
  const harmless = useRef<HTMLButtonElement>(null);
  useEffect(() => harmless.current?.focus(), []);
  return (
    <fieldset
      aria-label="Clear all memory"
      aria-describedby={questionId}
      className={classNames.confirmation}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onKeep();
      }}
    >
      <p id={questionId} className={classNames.question}>
        {count === 1 ? "This will remove 1 fact" : `This will remove all ${count.toLocaleString("en")} facts`}
      </p>
      <button ref={harmless} type="button" aria-describedby={questionId} className={classNames.cancel} onClick={onKeep}>
        Cancel
      </button>
      <button type="button" aria-describedby={questionId} className={classNames.confirm} onClick={onClear}>
        Clear
      </button>
    </fieldset>
  );
}

/** Props of `ClearingBar`. */
export interface ClearingBarProps {
  /** The pending deletion, from the state of the fact book. */
  readonly clearing: PendingClear;
  /** Called when the user clicks Undo. */
  readonly onUndo: () => void;
  /** Class names of the elements. */
  readonly classNames?: {
    readonly bar?: string | undefined;
    readonly words?: string | undefined;
    readonly undo?: string | undefined;
    readonly seconds?: string | undefined;
    readonly track?: string | undefined;
    readonly fill?: string | undefined;
  };
  /** Ref of the Undo button. */
  readonly ref?: Ref<HTMLButtonElement>;
}

const EVERY = 100;

/**
 * Bar with an Undo button and a countdown, while the deletion of all memories can be undone: "Memory cleared · Undo ·
 * 8s".
 *
 * @param props The pending deletion, callback and class names.
 *
 * @example
 * const { clearing } = useMemoryFacts(book);
 * const bar = clearing && <ClearingBar clearing={clearing} onUndo={() => void book.undoClear()} />;
 */
export function ClearingBar({ clearing, onUndo, classNames = {}, ref }: ClearingBarProps): ReactNode {
  const left = useTimeLeft(clearing.endsAt);
  const share = left / Math.max(1, clearing.endsAt - clearing.startedAt);
  const seconds = Math.ceil(left / 1_000);
  return (
    <div className={classNames.bar} data-clearing="">
      <p role="status" className={classNames.words}>
        Memory cleared
      </p>
      <button ref={ref} type="button" className={classNames.undo} onClick={onUndo}>
        Undo
      </button>
      <span className={classNames.seconds}>{seconds}s</span>
      <div
        role="progressbar"
        aria-label="Time left to undo"
        aria-valuemin={0}
        aria-valuemax={Math.ceil((clearing.endsAt - clearing.startedAt) / 1_000)}
        aria-valuenow={seconds}
        aria-valuetext={`${seconds} seconds`}
        className={classNames.track}
      >
        <div className={classNames.fill} style={{ inlineSize: `${Math.min(1, share) * 100}%` }} />
      </div>
    </div>
  );
}

/** Milliseconds until then, counted down. */
function useTimeLeft(endsAt: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, endsAt - now);
}

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
    // biome-ignore lint/a11y/noStaticElementInteractions: it only pauses the timer; the action is the button
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
