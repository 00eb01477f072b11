import { useLayoutEffect, useRef } from "react";
import type { FactBook } from "throughline/chat";
import { ClearingBar } from "throughline/react";
import { panelCopy } from "../copy/panel.ts";
import { useSnapshot } from "../ui/use-snapshot.ts";
import styles from "./cleared-bar.module.css";
import { tryTo } from "./panel-toast.ts";

export interface ClearedBarProps {
  readonly book: FactBook;
  /** Called when it goes away: the clearing was undone, or its time is over. */
  readonly onOver?: (() => void) | undefined;
  readonly className?: string | undefined;
}

const looks = {
  bar: styles.bar,
  words: styles.words,
  undo: styles.undo,
  seconds: styles.seconds,
  track: styles.track,
  fill: styles.fill,
};

/** "Memory cleared · Undo · 8s" until the clear is final. It takes the focus, because the pressed button is gone. */
export function ClearedBar({ book, onOver, className }: ClearedBarProps) {
  const { clearing } = useSnapshot(book);
  const isClearing = clearing !== undefined;
  const wasClearing = useRef(isClearing);
  const undo = useRef<HTMLButtonElement>(null);
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (isClearing && !wasClearing.current) undo.current?.focus();
    if (!isClearing && wasClearing.current && hasFocus.current) onOver?.();
    wasClearing.current = isClearing;
    if (!isClearing) hasFocus.current = false;
  }, [isClearing, onOver]);
  if (!clearing) return null;
  return (
    <section
      aria-label={panelCopy.cleared}
      className={className}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={() => {
        hasFocus.current = false;
      }}
    >
      <ClearingBar
        ref={undo}
        clearing={clearing}
        onUndo={() => void tryTo(() => book.undoClear())}
        classNames={looks}
      />
    </section>
  );
}
