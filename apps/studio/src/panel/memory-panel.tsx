import { Dialog } from "@base-ui/react/dialog";
import { useEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { OpenEdits } from "throughline/react";
import type { Studio } from "../app/studio.ts";
import { panelCopy } from "../copy/panel.ts";
import { returnFocus } from "../ui/return-focus.ts";
import { ClearedBar } from "./cleared-bar.tsx";
import styles from "./memory-panel.module.css";
import type { SheetHandle } from "./memory-sheet.tsx";
import { MemoryToasts } from "./memory-toasts.tsx";
import { usePanelShortcut } from "./use-panel-shortcut.ts";

export interface MemoryPanelProps {
  readonly studio: Studio;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Called when the person went to the source of a memory. */
  readonly onJumped: () => void;
  /** Where notices stand while the panel is closed. */
  readonly dock: HTMLElement | null;
}

/**
 * The memories, in a sheet over the right side. It stands in the page all the time: what is being written in it and
 * what can still be undone outlive the sheet.
 */
export function MemoryPanel({ studio, open, onOpenChange, onJumped, dock }: MemoryPanelProps) {
  const { book } = studio;
  const edits = useMemo(() => new OpenEdits(book), [book]);
  const [draft, setDraft] = useState("");
  const [isLeaving, setIsLeaving] = useState(false);
  const sheet = useRef<SheetHandle>(null);
  const change = (next: boolean) => {
    setIsLeaving(!next);
    onOpenChange(next);
  };
  usePanelShortcut(() => change(!open));
  const Sheet = useSheet(open);

  return (
    <>
      <Dialog.Root
        open={open && Sheet !== undefined}
        onOpenChange={change}
        onOpenChangeComplete={() => setIsLeaving(false)}
      >
        {/* A landmark also for the menus that open from the sheet. */}
        <Dialog.Portal role="region" aria-label={panelCopy.panel}>
          <Dialog.Backdrop className={styles.backdrop} />
          <Dialog.Popup
            className={styles.sheet}
            initialFocus={() => sheet.current?.firstFocus() ?? true}
            finalFocus={() => returnFocus(findPill())}
          >
            {Sheet && (
              <Sheet
                ref={sheet}
                studio={studio}
                edits={edits}
                draft={draft}
                onDraftChange={setDraft}
                onClose={() => {
                  onJumped();
                  change(false);
                }}
              />
            )}
            <MemoryToasts book={book} onUndo={(id) => sheet.current?.focusCard(id)} />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
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

/** What stands in the sheet, loaded when it is first opened: the sheet comes with it, so that it can have the focus. */
function useSheet(isWanted: boolean) {
  const [Sheet, setSheet] = useState<typeof import("./memory-sheet.tsx").MemorySheet>();
  useEffect(() => {
    if (!isWanted || Sheet !== undefined) return;
    void import("./memory-sheet.tsx").then(({ MemorySheet }) => setSheet(() => MemorySheet));
  }, [isWanted, Sheet]);
  return Sheet;
}

function findPill(): HTMLElement | null {
  return document.querySelector("[data-memory-pill]");
}
