import type { ComponentProps } from "react";
import { useSnapshot } from "./use-snapshot.ts";
import { VisuallyHidden } from "./visually-hidden.tsx";

/** Something to be read out once. */
interface Announcement {
  readonly text: string;
  /** Counts up, so that the same text is announced again. */
  readonly turn: number;
}

let current: Announcement = { text: "", turn: 0 };
const listeners = new Set<() => void>();

/** Announces a text to screen readers without moving the focus. */
export function announce(text: string): void {
  current = { text, turn: current.turn + 1 };
  for (const listener of listeners) listener();
}

const announcements = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  getSnapshot: (): Announcement => current,
};

/** The live region with the last announcement. */
export function Announcements(props: Pick<ComponentProps<"span">, "aria-live">) {
  const { text, turn } = useSnapshot(announcements);
  return (
    <VisuallyHidden role="status" {...props}>
      <span key={turn}>{text}</span>
    </VisuallyHidden>
  );
}
