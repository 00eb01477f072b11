import { Button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import type { CondensedNote as Note } from "../../chat-room.ts";
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
  const was = note.condensedMessages === 1 ? "was" : "were";
  if (note.isUndone) {
    return (
      <p className={styles.undone}>
        Condensing was undone. {count} {note.condensedMessages === 1 ? "is" : "are"} sent word for word again.
      </p>
    );
  }
  return (
    <Disclosure
      className={styles.note}
      summary={`${count} ${was} condensed`}
      beside={
        <>
          <span aria-hidden>·</span>
          <Button kind="link" aria-label="Undo condensing" onClick={() => onUndo(note.eventId)}>
            undo
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
            <dt>Kept word for word</dt>
            <dd>all that follow them</dd>
          </div>
        </dl>
        <h2 className={styles.heading}>What is sent in their place</h2>
        <MessageText text={note.summary} />
        <p className={styles.hint}>Your messages are all still here. Only what is sent to the model changed.</p>
      </div>
    </Disclosure>
  );
}
