import { CircleDashed, Plus } from "lucide-react";
import { classNames } from "../../../ui/class-names.ts";
import styles from "./new-chat-buttons.module.css";

export interface NewChatButtonsProps {
  /** The temporary chat is the one that is open. */
  readonly isTemporary: boolean;
  readonly onNew: (options?: { readonly isTemporary: boolean }) => void;
}

export function NewChatButtons({ isTemporary, onNew }: NewChatButtonsProps) {
  return (
    <div className={styles.buttons}>
      <button type="button" className={styles.button} onClick={() => onNew()}>
        <Plus aria-hidden /> New chat
      </button>
      <button
        type="button"
        className={classNames(styles.button, isTemporary && styles.current)}
        aria-current={isTemporary ? "page" : undefined}
        onClick={() => onNew({ isTemporary: true })}
      >
        <CircleDashed aria-hidden /> Temporary
      </button>
    </div>
  );
}
