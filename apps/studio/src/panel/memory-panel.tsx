import { Brain } from "lucide-react";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { createPortal } from "react-dom";
import type { FactBook } from "throughline/chat";
import { OpenEdits, MemoryPill as UnstyledPill } from "throughline/react";
import type { Studio } from "../app/studio.ts";
import { panelCopy } from "../copy/panel.ts";
import { useSnapshot } from "../ui/use-snapshot.ts";
import styles from "./memory-panel.module.css";
import { ClearedBar, MemoryToasts } from "./memory-toasts.tsx";
import { ariaShortcut, matchesShortcut, savedShortcut, showShortcut } from "./shortcut.ts";

interface MemoryPanelProps {
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
  const [Dialog, setDialog] = useState<typeof import("./sheet/memory-dialog.tsx").MemoryDialog>();
  useEffect(() => {
    if (!isWanted || Dialog !== undefined) return;
    void import("./sheet/memory-dialog.tsx").then(({ MemoryDialog }) => setDialog(() => MemoryDialog));
  }, [isWanted, Dialog]);
  return Dialog;
}

/** Calls back when the keys of the panel are pressed, wherever the focus is. */
function usePanelShortcut(onPress: () => void): void {
  const { value: shortcut } = useSnapshot(savedShortcut);
  const press = useEffectEvent(onPress);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.repeat || event.defaultPrevented || !matchesShortcut(event, shortcut)) return;
      event.preventDefault();
      press();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [shortcut]);
}

interface MemoryPillProps {
  readonly book: FactBook;
  /** The memory switch of the open conversation. */
  readonly isUsed: boolean;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** "12 memories": opens the panel, and has the focus again when that is closed. */
export function MemoryPill({ book, isUsed, isOpen, onOpen }: MemoryPillProps) {
  const { status, facts } = useSnapshot(book);
  const { value: shortcut } = useSnapshot(savedShortcut);
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
