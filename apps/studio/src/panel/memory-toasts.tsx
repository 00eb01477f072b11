import { type FocusEvent, useEffect, useRef } from "react";
import { Toaster, toast } from "sonner";
import type { FactBook, Removal } from "throughline/chat";
import { RemovalNotice } from "throughline/react";
import { panelCopy } from "../copy/panel.ts";
import { useSnapshot } from "../ui/use-snapshot.ts";
import styles from "./memory-toasts.module.css";
import { TOASTER } from "./panel-toast.ts";

export interface MemoryToastsProps {
  readonly book: FactBook;
  /** Called with the fact that comes back. */
  readonly onUndo?: (factId: string) => void;
}

const looks = { toast: styles.toast ?? "", error: styles.error ?? "", success: styles.success ?? "" };

/**
 * The toasts of the memories. They take a place of their own above the field in which one writes, so that they cover
 * nothing; inside the sheet while it is open, since outside of it they could be neither clicked nor heard.
 */
export function MemoryToasts({ book, onUndo }: MemoryToastsProps) {
  return (
    <>
      <Toaster
        id={TOASTER}
        position="bottom-center"
        visibleToasts={3}
        expand
        className={styles.toaster ?? ""}
        containerAriaLabel={panelCopy.notifications}
        toastOptions={{ unstyled: true, classNames: looks }}
      />
      <RemovalToasts book={book} {...(onUndo && { onUndo })} />
    </>
  );
}

/** One toast for each removal that can be undone; the book says how long it stays. */
function RemovalToasts({ book, onUndo }: MemoryToastsProps) {
  const { removals } = useSnapshot(book);
  const shown = useRef(new Set<string>());
  useEffect(() => {
    for (const { id } of removals) {
      if (shown.current.has(id)) continue;
      shown.current.add(id);
      toast.custom(() => <RemovalToast book={book} id={id} {...(onUndo && { onUndo })} />, {
        id,
        toasterId: TOASTER,
        duration: Number.POSITIVE_INFINITY,
      });
    }
    for (const id of shown.current) {
      if (removals.some((removal) => removal.id === id)) continue;
      shown.current.delete(id);
      toast.dismiss(id);
    }
  }, [book, removals, onUndo]);
  return null;
}

function RemovalToast({ book, id, onUndo }: MemoryToastsProps & { readonly id: string }) {
  const { removals } = useSnapshot(book);
  const last = useRef<Removal>(undefined);
  last.current = removals.find((removal) => removal.id === id) ?? last.current;
  if (!last.current) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the toaster from giving the focus back to where it was; after an undo it belongs to what came back
    <div ref={leaveToastOut} className={styles.body} onFocus={keepFromToaster}>
      <RemovalNotice
        book={book}
        removal={last.current}
        onUndo={({ facts: [first] }) => first && onUndo?.(first.id)}
        classNames={{ notice: styles.notice, words: styles.words, undo: styles.undo, timer: styles.timer }}
      />
    </div>
  );
}

/** The toast around it would be a stop of its own, where its time does not stand still: Tab goes to the button. */
function leaveToastOut(body: HTMLElement | null): void {
  body?.closest("[data-sonner-toast]")?.setAttribute("tabindex", "-1");
}

function keepFromToaster(event: FocusEvent): void {
  event.stopPropagation();
}
