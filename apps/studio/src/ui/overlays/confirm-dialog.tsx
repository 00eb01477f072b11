import { AlertDialog } from "@base-ui/react/alert-dialog";
import { Button } from "../controls/button.tsx";
import styles from "./dialog.module.css";

export interface ConfirmDialogProps {
  /** Called with the decision. The dialog is open while a question is set. */
  readonly onDecide: ((isConfirmed: boolean) => void) | undefined;
  readonly title: string;
  readonly words: string;
  /** Label of the button that loses something. */
  readonly confirm: string;
  readonly cancel: string;
}

/** Asks before something is lost permanently. Escape means no. */
export function ConfirmDialog({ onDecide, title, words, confirm, cancel }: ConfirmDialogProps) {
  return (
    <AlertDialog.Root open={onDecide !== undefined} onOpenChange={() => onDecide?.(false)}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.behindQuestion} forceRender />
        <AlertDialog.Popup className={styles.question}>
          <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
          <AlertDialog.Description className={styles.words}>{words}</AlertDialog.Description>
          <div className={styles.actions}>
            <Button kind="quiet" onClick={() => onDecide?.(false)}>
              {cancel}
            </Button>
            <Button kind="danger" onClick={() => onDecide?.(true)}>
              {confirm}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
