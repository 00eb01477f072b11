import { ArrowDown } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, type ReactNode, type RefObject, useMemo, useState } from "react";
import { chatCopy } from "../../../copy/chat.ts";
import { formatNumber } from "../../../copy/format.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Disclosure } from "../../../ui/controls/disclosure.tsx";
import type { ChatState, CondensedNote as Note } from "../../chat-state.ts";
import { type ListRow, listRows } from "./list-rows.ts";
import { MessageBubble, type MessageVerbs, Thinking } from "./message-bubble.tsx";
import styles from "./message-list.module.css";
import { MessageText } from "./message-text.tsx";
import { type Jump, useMessageScrolling } from "./use-message-scrolling.ts";

export interface ListVerbs extends Omit<MessageVerbs, "startEdit"> {
  undoCondensing(eventId: string): void;
}

export interface MessageListProps {
  readonly state: Pick<ChatState, "messages" | "notes" | "isAnswering" | "isCondensing">;
  /** A model is selected. */
  readonly canAnswer: boolean;
  readonly verbs: ListVerbs;
  /** Number of requested summaries. */
  readonly summaries: number;
  /** Go to this message now. */
  readonly jump?: Jump | undefined;
  /** Called after a jump; `isFound` is false if the message is not here. */
  readonly onJumped: (jump: Jump, isFound: boolean) => void;
}

/** The conversation. Only rows on screen are in the page. */
export function MessageList({ state, canAnswer, verbs, summaries, jump, onJumped }: MessageListProps) {
  const { messages, notes, isAnswering, isCondensing } = state;
  const [editedId, startEdit] = useState<string>();
  const rows = useMemo(
    () => listRows({ messages, notes, isAnswering, isCondensing }),
    [messages, notes, isAnswering, isCondensing],
  );
  const last = messages.at(-1);
  const lastSaidId = last?.role === "user" ? last.id : undefined;
  const { scroller, virtualizer, holdRow, canJump, followEnd, goToStart, targetId } = useMessageScrolling({
    rows,
    editedId,
    jump,
    onJumped,
    askedFor: isAnswering ? "an answer" : lastSaidId,
    summaries,
  });
  const rowVerbs = useMemo<MessageVerbs>(() => ({ ...verbs, startEdit }), [verbs]);

  const canRetry = canAnswer && !isAnswering && !isCondensing;

  return (
    <div className={styles.frame}>
      <LogFrame scroller={scroller} onRow={holdRow} onHome={goToStart} onEnd={followEnd}>
        <div ref={virtualizer.containerRef} className={styles.rows}>
          {virtualizer.getVirtualItems().map(({ key, index }) => (
            <div key={key} data-index={index} data-key={key} ref={virtualizer.measureElement} className={styles.row}>
              <Row
                row={rows[index]}
                position={index + 1}
                total={rows.length}
                isEditing={key === editedId}
                isTarget={key === targetId}
                canRetry={canRetry && key === last?.id}
                verbs={rowVerbs}
                onUndo={verbs.undoCondensing}
              />
            </div>
          ))}
        </div>
      </LogFrame>
      {canJump && (
        <Button className={styles.latest} onClick={followEnd}>
          <ArrowDown aria-hidden /> {chatCopy.message.toLatest}
        </Button>
      )}
    </div>
  );
}

interface RowProps extends Omit<React.ComponentProps<typeof MessageBubble>, "message"> {
  readonly row: ListRow | undefined;
  readonly onUndo: ListVerbs["undoCondensing"];
}

function Row({ row, onUndo, ...rest }: RowProps) {
  if (row?.kind === "message") return <MessageBubble message={row.message} {...rest} />;
  if (row?.kind === "note") return <CondensedNote note={row.note} onUndo={onUndo} />;
  return (
    <div className={styles.waiting}>
      <Thinking text={row?.text ?? ""} />
    </div>
  );
}

interface LogFrameProps {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Called with the key of the row that has the focus. */
  readonly onRow: (key: string | undefined) => void;
  readonly onHome: () => void;
  readonly onEnd: () => void;
  readonly children: ReactNode;
}

/** The scrolling log. The live region announces finished answers, because rows are mounted and unmounted. */
function LogFrame({ scroller, onRow, onHome, onEnd, children }: LogFrameProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === "End") onEnd();
    else if (event.key === "Home") onHome();
    else return;
    event.preventDefault();
  };
  const onFocus = ({ target }: FocusEvent) => onRow(target.closest<HTMLElement>("[data-key]")?.dataset.key);
  return (
    <div
      ref={scroller}
      role="log"
      aria-live="off"
      aria-label={chatCopy.messages}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
      className={styles.scroller}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onBlur={() => onRow(undefined)}
    >
      {children}
    </div>
  );
}

const { summary: copy } = chatCopy;

interface CondensedNoteProps {
  readonly note: Note;
  readonly onUndo: (eventId: string) => void;
}

/** Note between messages that earlier ones were summarized. It opens to the summary and can be undone. */
function CondensedNote({ note, onUndo }: CondensedNoteProps) {
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
