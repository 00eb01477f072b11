import { Button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import type { CondensedNote as Note } from "../../chat.ts";
import { formatCount, formatNumber } from "../format.ts";
import styles from "./condensed-note.module.css";
import { MessageText } from "./message-text.tsx";

export interface CondensedNoteProps {
  readonly note: Note;
  readonly onUndo: (eventId: string) => void;
}

/** Stands in the flow where earlier messages were condensed; it opens to what was made of them, and can be undone. */
export function CondensedNote({ note, onUndo }: CondensedNoteProps) {
  const count = formatCount(note.condensedMessages, "earlier message", "earlier messages");
  if (note.isUndone) {
    return (
      <p className={styles.undone}>
        {note.condensedMessages === 1
          ? "Undone. The model gets the message in full again."
          : `Undone. The model gets all ${formatNumber(note.condensedMessages)} messages in full again.`}{" "}
        I'll summarize again only when the context is full.
      </p>
    );
  }
  return (
    <Disclosure
      className={styles.note}
      summary={`${count} summarized`}
      beside={
        <>
          <span aria-hidden>·</span>
          <Button kind="link" aria-label="Undo summary" onClick={() => onUndo(note.eventId)}>
            Undo
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <dl className={styles.numbers}>
          <div>
            <dt>Tokens</dt>
            <dd>
              {formatNumber(note.tokensBefore)} → {formatNumber(note.tokensAfter)}
            </dd>
          </div>
          <div>
            <dt>Summarized</dt>
            <dd>{formatCount(note.condensedMessages, "message", "messages")}</dd>
          </div>
          <div>
            <dt>Sent in full</dt>
            <dd>Everything after them</dd>
          </div>
        </dl>
        <h2 className={styles.heading}>Summary sent instead</h2>
        <MessageText text={note.summary} />
        <p className={styles.hint}>All your messages are still here. Only what the model gets has changed.</p>
      </div>
    </Disclosure>
  );
}
