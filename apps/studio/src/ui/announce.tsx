import type { ComponentProps } from "react";
import { Notifier } from "../app/notifier.ts";
import { useSnapshot } from "./use-snapshot.ts";
import { VisuallyHidden } from "./visually-hidden.tsx";

/** The last announcement. `turn` counts up, so that the same text is announced again. */
class Announcer extends Notifier<{ readonly text: string; readonly turn: number }> {
  announce(text: string): void {
    this.set({ text, turn: this.getSnapshot().turn + 1 });
  }
}

const announcer = new Announcer({ text: "", turn: 0 });

/** Announces a text to screen readers without moving the focus. */
export function announce(text: string): void {
  announcer.announce(text);
}

/** The live region with the last announcement. */
export function Announcements(props: Pick<ComponentProps<"span">, "aria-live">) {
  const { text, turn } = useSnapshot(announcer);
  return (
    <VisuallyHidden role="status" {...props}>
      <span key={turn}>{text}</span>
    </VisuallyHidden>
  );
}
