import { useEffect, useState } from "react";
import type { MessageVirtualizer } from "./use-message-virtualizer.ts";

/** Time for which the target of a jump is highlighted, in milliseconds. */
const TARGET_SHOWN_FOR = 1_600;

/** A message to go to. */
export interface Jump {
  readonly messageId: string;
  readonly at: number;
}

interface JumpOptions {
  readonly jump: Jump | undefined;
  readonly places: ReadonlyMap<string, number>;
  readonly virtualizer: MessageVirtualizer;
  readonly leaveEnd: () => void;
  readonly onJumped: (jump: Jump, isFound: boolean) => void;
}

/** Goes to a message, and gives back which one shows itself for it. */
export function useJump({ jump, places, virtualizer, leaveEnd, onJumped }: JumpOptions): string | undefined {
  const [targetId, setTargetId] = useState<string>();
  useEffect(() => {
    if (jump === undefined) return;
    const index = places.get(jump.messageId);
    if (index !== undefined) {
      leaveEnd();
      virtualizer.scrollToIndex(index, { align: "center" });
      setTargetId(jump.messageId);
    }
    onJumped(jump, index !== undefined);
  }, [jump, places, virtualizer, leaveEnd, onJumped]);
  useEffect(() => {
    if (targetId === undefined) return;
    const timer = setTimeout(() => setTargetId(undefined), TARGET_SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [targetId]);
  return targetId;
}
