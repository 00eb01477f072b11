import { RefreshCw } from "lucide-react";
import type { FactBook } from "throughline/chat";
import { panelCopy } from "../copy/panel.ts";
import { Button } from "../ui/button.tsx";
import { tryTo } from "./panel-toast.ts";
import styles from "./states.module.css";

export interface FailedStateProps {
  readonly book: FactBook;
  readonly problem: string | undefined;
}

/** Memories cannot be read; the chat goes on without them. */
export function FailedState({ book, problem }: FailedStateProps) {
  return (
    <div role="alert" className={styles.empty}>
      <p className={styles.title}>{panelCopy.failed.title}</p>
      <p className={styles.words}>{panelCopy.failed.words(problem ?? panelCopy.failed.unchanged)}</p>
      <Button onClick={() => void tryTo(() => book.refresh())}>
        <RefreshCw aria-hidden /> {panelCopy.failed.retry}
      </Button>
    </div>
  );
}
