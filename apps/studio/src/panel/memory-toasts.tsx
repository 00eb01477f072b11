import { CircleAlert, CircleCheck } from "lucide-react";
import type { FactBook } from "throughline/chat";
import { RemovalNotice } from "throughline/react";
import { panelCopy } from "../copy/panel.ts";
import { useSnapshot } from "../ui/use-snapshot.ts";
import styles from "./memory-toasts.module.css";
import { panelToasts } from "./panel-toast.ts";

export interface MemoryToastsProps {
  readonly book: FactBook;
  /** Called with the fact that comes back. */
  readonly onUndo?: (factId: string) => void;
}

const ICONS = { problem: <CircleAlert aria-hidden />, done: <CircleCheck aria-hidden />, plain: undefined };
const looks = { notice: styles.notice, words: styles.words, undo: styles.undo, timer: styles.timer };

/**
 * Toasts of the memories. They have a place of their own above the composer, so that they cover nothing. While the sheet
 * is open they are inside it, because elements outside of it are inert.
 */
export function MemoryToasts({ book, onUndo }: MemoryToastsProps) {
  const { removals } = useSnapshot(book);
  const { toasts } = useSnapshot(panelToasts);
  return (
    <section aria-label={panelCopy.notifications} aria-live="polite" className={styles.region}>
      <ol className={styles.toasts}>
        {removals.map((removal) => (
          <li key={removal.id} className={styles.toast}>
            <RemovalNotice
              book={book}
              removal={removal}
              onUndo={({ facts: [first] }) => first && onUndo?.(first.id)}
              classNames={looks}
            />
          </li>
        ))}
        {toasts.map(({ id, kind, content }) => (
          <li key={id} className={styles.toast} data-kind={kind}>
            {ICONS[kind]}
            {content}
          </li>
        ))}
      </ol>
    </section>
  );
}
