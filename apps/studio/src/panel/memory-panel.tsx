import { useEffect, useMemo, useState } from "react";
import { createPortal } from "react-dom";
import { OpenEdits } from "throughline/react";
import type { Studio } from "../app/studio.ts";
import { ClearedBar } from "./cleared-bar.tsx";
import styles from "./memory-panel.module.css";
import { MemoryToasts } from "./memory-toasts.tsx";
import { usePanelShortcut } from "./use-panel-shortcut.ts";

export interface MemoryPanelProps {
  readonly studio: Studio;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Called when the person went to the source of a memory. */
  readonly onJumped: () => void;
  /** Container for notices while the panel is closed. */
  readonly dock: HTMLElement | null;
}

/**
 * The memory panel. Always mounted, so that open edits and undo outlive the sheet.
 */
export function MemoryPanel({ studio, open, onOpenChange, onJumped, dock }: MemoryPanelProps) {
  const { book } = studio;
  const edits = useMemo(() => new OpenEdits(book), [book]);
  const [draft, setDraft] = useState("");
  const [isLeaving, setIsLeaving] = useState(false);
  const change = (next: boolean) => {
    setIsLeaving(!next);
    onOpenChange(next);
  };
  usePanelShortcut(() => change(!open));
  const Dialog = useDialog(open);

  return (
    <>
      {Dialog && (
        <Dialog
          studio={studio}
          edits={edits}
          draft={draft}
          onDraftChange={setDraft}
          isOpen={open}
          onOpenChange={change}
          onOpenChangeComplete={() => setIsLeaving(false)}
          onJumped={onJumped}
        />
      )}
      {!open &&
        !isLeaving &&
        dock !== null &&
        createPortal(
          <>
            <MemoryToasts book={book} />
            <ClearedBar book={book} className={styles.docked} />
          </>,
          dock,
        )}
    </>
  );
}

/** The sheet, loaded when it is first opened. */
function useDialog(isWanted: boolean) {
  const [Dialog, setDialog] = useState<typeof import("./memory-dialog.tsx").MemoryDialog>();
  useEffect(() => {
    if (!isWanted || Dialog !== undefined) return;
    void import("./memory-dialog.tsx").then(({ MemoryDialog }) => setDialog(() => MemoryDialog));
  }, [isWanted, Dialog]);
  return Dialog;
}
