import { chatCopy } from "../../../copy/chat.ts";
import { Button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import type { CondensedNote as Note } from "../../chat.ts";
import { formatNumber } from "../format.ts";
import styles from "./condensed-note.module.css";
import { MessageText } from "./message-text.tsx";

const { summary: copy } = chatCopy;

export interface CondensedNoteProps {
  readonly note: Note;
  readonly onUndo: (eventId: string) => void;
}

/** Note between messages that earlier ones were summarized. It opens to the summary and can be undone. */
export function CondensedNote({ note, onUndo }: CondensedNoteProps) {
  const { condensedMessages: count } = note;
  if (note.isUndone) return <p className={styles.undone}>{copy.undone(count)}</p>;
  return (
    <Disclosure
      className={styles.note}
      summary={copy.title(count)}
      beside={
        <>
          <span aria-hidden className={styles.dot}>
            ·
          </span>
          <Button kind="link" aria-label={copy.undo} onClick={() => onUndo(note.eventId)}>
            {chatCopy.undo}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <dl className={styles.numbers}>
          <div>
            <dt>{copy.tokens}</dt>
            <dd>
              {formatNumber(note.tokensBefore)} → {formatNumber(note.tokensAfter)}
            </dd>
          </div>
          <div>
            <dt>{copy.summarized}</dt>
            <dd>{copy.messages(count)}</dd>
          </div>
          <div>
            <dt>{copy.inFull}</dt>
            <dd>{copy.everythingAfter}</dd>
          </div>
        </dl>
        <h2 className={styles.heading}>{copy.heading}</h2>
        <MessageText text={note.summary} />
        <p className={styles.hint}>{copy.hint}</p>
      </div>
    </Disclosure>
  );
}
