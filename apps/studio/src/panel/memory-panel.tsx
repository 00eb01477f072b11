import { Dialog } from "@base-ui/react/dialog";
import { useMemo, useRef, useState } from "react";
import { OpenEdits } from "throughline/react";
import type { Studio } from "../app/studio.ts";
import { returnFocus } from "../ui/return-focus.ts";
import { ClearedBar } from "./cleared-bar.tsx";
import styles from "./memory-panel.module.css";
import { MemorySheet, type SheetHandle } from "./memory-sheet.tsx";
import { MemoryToasts } from "./memory-toasts.tsx";
import { usePanelShortcut } from "./use-panel-shortcut.ts";

export interface MemoryPanelProps {
  readonly studio: Studio;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/**
 * The memories, in a sheet over the right side. It stands in the page all the time: what is being written in it and
 * what can still be undone outlive the sheet.
 */
export function MemoryPanel({ studio, open, onOpenChange }: MemoryPanelProps) {
  const { book } = studio;
  const edits = useMemo(() => new OpenEdits(book), [book]);
  const [draft, setDraft] = useState("");
  const [isLeaving, setIsLeaving] = useState(false);
  const sheet = useRef<SheetHandle>(null);
  /** A jump to a message takes the focus there: it does not go back to the pill. */
  const hasJumped = useRef(false);
  const change = (next: boolean) => {
    hasJumped.current = false;
    setIsLeaving(!next);
    onOpenChange(next);
  };
  usePanelShortcut(() => change(!open));

  return (
    <>
      <Dialog.Root open={open} onOpenChange={change} onOpenChangeComplete={() => setIsLeaving(false)}>
        {/* A landmark also for the menus that open from the sheet. */}
        <Dialog.Portal role="region" aria-label="Memory panel">
          <Dialog.Backdrop className={styles.backdrop} />
          <Dialog.Popup
            className={styles.sheet}
            initialFocus={() => sheet.current?.firstFocus() ?? true}
            finalFocus={() => (hasJumped.current ? false : returnFocus(findPill()))}
          >
            <MemorySheet
              ref={sheet}
              studio={studio}
              edits={edits}
              draft={draft}
              onDraftChange={setDraft}
              onJumped={() => {
                change(false);
                hasJumped.current = true;
              }}
            />
            <MemoryToasts book={book} onUndo={(id) => sheet.current?.focusCard(id)} />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      {!open && !isLeaving && (
        <>
          <MemoryToasts book={book} />
          <ClearedBar book={book} className={styles.floating} />
        </>
      )}
    </>
  );
}

function findPill(): HTMLElement | null {
  return document.querySelector("[data-memory-pill]");
}
