import { Brain } from "lucide-react";
import type { FactBook } from "throughline/chat";
import { MemoryPill as UnstyledPill } from "throughline/react";
import { panelCopy } from "../copy/panel.ts";
import { useSnapshot } from "../ui/use-snapshot.ts";
import styles from "./memory-pill.module.css";
import { savedShortcut } from "./saved-shortcut.ts";
import { ariaShortcut, showShortcut } from "./shortcut.ts";

export interface MemoryPillProps {
  readonly book: FactBook;
  /** The memory switch of the open conversation. */
  readonly isUsed: boolean;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** "12 memories": opens the panel, and has the focus again when that is closed. */
export function MemoryPill({ book, isUsed, isOpen, onOpen }: MemoryPillProps) {
  const { status, facts } = useSnapshot(book);
  const shortcut = useSnapshot(savedShortcut);
  return (
    <UnstyledPill
      label={isUsed ? undefined : panelCopy.off}
      count={status === "ready" ? facts.length : undefined}
      isOpen={isOpen}
      onOpen={onOpen}
      keyShortcuts={ariaShortcut(shortcut)}
      title={panelCopy.openPanel(showShortcut(shortcut), isUsed)}
      className={styles.pill}
      icon={<Brain className={styles.icon} />}
    />
  );
}
