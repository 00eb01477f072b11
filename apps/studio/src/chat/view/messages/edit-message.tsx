import { type FormEvent, type KeyboardEvent, useState } from "react";
import { chatCopy } from "../../../copy/chat.ts";
import { Button } from "../../../ui/button.tsx";
import { GrowingTextarea } from "../composer/growing-textarea.tsx";
import { isSendKey } from "../composer/is-send-key.ts";
import styles from "./edit-message.module.css";

const { message: copy } = chatCopy;

export interface EditMessageProps {
  readonly text: string;
  /** It has files, which stay: its text may be empty. */
  readonly hasFiles: boolean;
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

/** Edits a message of the person and sends it again. */
export function EditMessage({ text, hasFiles, onSend, onCancel }: EditMessageProps) {
  const [edited, setEdited] = useState(text);
  const canSend = edited.trim() !== "" || hasFiles;
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (canSend) onSend(edited.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onCancel();
    else if (isSendKey(event.nativeEvent)) submit(event);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <GrowingTextarea
        className={styles.field}
        aria-label={copy.editing}
        value={edited}
        // The person just asked to edit it.
        autoFocus
        onFocus={(event) => event.currentTarget.setSelectionRange(edited.length, edited.length)}
        onChange={(event) => setEdited(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.bar}>
        <span className={styles.hint}>{copy.newVersion}</span>
        <Button kind="quiet" onClick={onCancel}>
          {chatCopy.cancel}
        </Button>
        <Button kind="primary" type="submit" disabled={!canSend}>
          {copy.send}
        </Button>
      </div>
    </form>
  );
}
