import { useCallback, useLayoutEffect, useRef } from "react";
import type { ListRow } from "./list-rows.ts";
import { useFollowEnd } from "./use-follow-end.ts";
import { type Jump, useJump } from "./use-jump.ts";
import { useMessageVirtualizer } from "./use-message-virtualizer.ts";

interface MessageScrollingOptions {
  readonly rows: readonly ListRow[];
  readonly editedId: string | undefined;
  /** Changes on each user message or requested answer; `undefined` without a new one. */
  readonly askedFor: string | undefined;
  /** Number of summaries that were asked for. */
  readonly summaries: number;
  readonly jump: Jump | undefined;
  readonly onJumped: (jump: Jump, isFound: boolean) => void;
}

/** Rows in the page and the scroll position: the end, the target of a jump, or a place the person scrolled to. */
export function useMessageScrolling(options: MessageScrollingOptions) {
  const { rows, editedId, askedFor, summaries, jump, onJumped } = options;
  const scroller = useRef<HTMLDivElement>(null);
  const { canJump, look, followEnd, leaveEnd } = useFollowEnd(scroller);
  const { holdRow, virtualizer, places } = useMessageVirtualizer({
    rows,
    scroller,
    editedKey: editedId,
    onChange: look,
  });
  // A sent message is scrolled into view from any position.
  useLayoutEffect(() => {
    if (askedFor !== undefined) followEnd();
  }, [askedFor, followEnd]);
  // So is the note of a summary.
  useLayoutEffect(() => {
    if (summaries > 0) followEnd();
  }, [summaries, followEnd]);
  const targetId = useJump({ jump, places, virtualizer, leaveEnd, onJumped });
  const goToStart = useCallback(() => {
    leaveEnd();
    virtualizer.scrollToIndex(0);
  }, [leaveEnd, virtualizer]);
  return { scroller, virtualizer, holdRow, canJump, followEnd, goToStart, targetId };
}
