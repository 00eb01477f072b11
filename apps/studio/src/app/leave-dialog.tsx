import { AlertDialog } from "@base-ui/react/alert-dialog";
import { frameCopy } from "../copy/frame.ts";
import { Button } from "../ui/button.tsx";
import styles from "./leave-dialog.module.css";

const { leaveTemporary: copy } = frameCopy;

/** Asks before a temporary chat with messages is left. */
export function LeaveDialog({ onDecide }: { readonly onDecide: ((isLeaving: boolean) => void) | undefined }) {
  return (
    <AlertDialog.Root open={onDecide !== undefined} onOpenChange={() => onDecide?.(false)}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup className={styles.popup}>
          <AlertDialog.Title className={styles.title}>{copy.title}</AlertDialog.Title>
          <AlertDialog.Description className={styles.words}>{copy.words}</AlertDialog.Description>
          <div className={styles.actions}>
            <Button kind="quiet" onClick={() => onDecide?.(false)}>
              {copy.stay}
            </Button>
            <Button kind="danger" onClick={() => onDecide?.(true)}>
              {copy.leave}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
