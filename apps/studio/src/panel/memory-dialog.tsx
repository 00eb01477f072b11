import { Dialog } from "@base-ui/react/dialog";
import { useRef } from "react";
import type { OpenEdits } from "throughline/react";
import type { Studio } from "../app/studio.ts";
import { panelCopy } from "../copy/panel.ts";
import { returnFocus } from "../ui/overlays/return-focus.ts";
import styles from "./memory-panel.module.css";
import { MemorySheet, type SheetHandle } from "./memory-sheet.tsx";
import { MemoryToasts } from "./memory-toasts.tsx";

export interface MemoryDialogProps {
  readonly studio: Studio;
  readonly edits: OpenEdits;
  readonly draft: string;
  readonly onDraftChange: (draft: string) => void;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  /** Called after the opening or closing animation. */
  readonly onOpenChangeComplete: () => void;
  /** Called when the person went to the source of a memory. */
  readonly onJumped: () => void;
}

/** The sheet over the right side. */
export function MemoryDialog({ isOpen, onOpenChange, onOpenChangeComplete, onJumped, ...rest }: MemoryDialogProps) {
  const sheet = useRef<SheetHandle>(null);
  /** A jump to a message takes the focus there: it does not go back to the pill. */
  const hasJumped = useRef(false);
  const { book } = rest.studio;
  const change = (next: boolean) => {
    hasJumped.current = false;
    onOpenChange(next);
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={change} onOpenChangeComplete={onOpenChangeComplete}>
      {/* A landmark also for the menus that open from the sheet. */}
      <Dialog.Portal role="region" aria-label={panelCopy.panel}>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          className={styles.sheet}
          initialFocus={() => sheet.current?.firstFocus() ?? true}
          finalFocus={() => (hasJumped.current ? false : returnFocus(findPill()))}
        >
          <MemorySheet
            ref={sheet}
            {...rest}
            onJumped={() => {
              onJumped();
              change(false);
              hasJumped.current = true;
            }}
          />
          <MemoryToasts book={book} onUndo={(id) => sheet.current?.focusCard(id)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function findPill(): HTMLElement | null {
  return document.querySelector("[data-memory-pill]");
}
