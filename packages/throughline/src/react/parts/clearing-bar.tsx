import { type ReactNode, type Ref, useEffect, useState } from "react";
import type { PendingClear } from "../../chat/book/fact-book.ts";

export interface ClearingBarProps {
  readonly clearing: PendingClear;
  readonly onUndo: () => void;
  readonly classNames?: {
    readonly bar?: string | undefined;
    readonly words?: string | undefined;
    readonly undo?: string | undefined;
    readonly seconds?: string | undefined;
    readonly track?: string | undefined;
    readonly fill?: string | undefined;
  };
  /** The button that undoes. */
  readonly ref?: Ref<HTMLButtonElement>;
}

const EVERY = 100;

/** "Memory cleared · Undo · 8s", for as long as it can be undone. */
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
