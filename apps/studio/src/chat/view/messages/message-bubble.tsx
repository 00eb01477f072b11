import { Bookmark, Check, CircleAlert, CircleStop, Copy, Pencil, RotateCcw } from "lucide-react";
import { type FormEvent, type KeyboardEvent, memo, useEffect, useRef, useState } from "react";
import type { FactBook } from "throughline/chat";
import { chatCopy } from "../../../copy/chat.ts";
import { formatTime } from "../../../copy/format.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { IconButton } from "../../../ui/controls/icon-button.tsx";
import { useCopied } from "../../../ui/use-copied.ts";
import { VisuallyHidden } from "../../../ui/visually-hidden.tsx";
import { isPartial, type ShownMessage } from "../../chat-state.ts";
import { GrowingTextarea, isSendKey } from "../composer/growing-textarea.tsx";
import { AskToRemember, isShortStatement } from "./ask-to-remember.tsx";
import { Forgot, type MemorySources, MemoryUpdated, UsedMemories } from "./memory-notes.tsx";
import styles from "./message-bubble.module.css";
import { Attachments, NotSent, Reasoning } from "./message-parts.tsx";
import { MessageText } from "./message-text.tsx";

const { message: messageCopy } = chatCopy;

/** Actions of messages. Stable between renders, so that rows are not rendered again. */
export interface MessageVerbs {
  readonly sources: MemorySources;
  readonly book: FactBook;
  retry(): void;
  continueAnswer(): void;
  startEdit(messageId: string | undefined): void;
  editAndResend(messageId: string, text: string): void;
  /** `undefined` if memories cannot be saved, as in a temporary chat. */
  readonly remember?: ((text: string, messageId: string) => void) | undefined;
}

interface MessageBubbleProps {
  readonly message: ShownMessage;
  readonly position: number;
  readonly total: number;
  readonly isEditing: boolean;
  /** Target of a jump: it takes the focus and is highlighted for a moment. */
  readonly isTarget: boolean;
  /** An answer can be requested: it is the last message, and no answer is in progress. */
  readonly canRetry: boolean;
  readonly verbs: MessageVerbs;
}

/** One message. Rendered again only if it changed. */
export const MessageBubble = memo(function MessageBubble(props: MessageBubbleProps) {
  const { message, position, total, isEditing, isTarget } = props;
  const own = useRef<HTMLElement>(null);
  const wasEditing = useRef(false);
  // The focus comes here with a jump, and stays here when an edit is over.
  useEffect(() => {
    if (isTarget || (wasEditing.current && !isEditing)) own.current?.focus({ preventScroll: true });
    wasEditing.current = isEditing;
  }, [isTarget, isEditing]);
  const isUser = message.role === "user";
  const name = isUser ? messageCopy.you : messageCopy.assistant;
  return (
    <article
      ref={own}
      tabIndex={-1}
      aria-label={messageCopy.label(name, formatTime(message.at))}
      aria-posinset={position}
      aria-setsize={total}
      data-state={message.state}
      data-last={props.canRetry || undefined}
      className={classNames(styles.message, isUser ? styles.user : styles.answer, isTarget && styles.target)}
    >
      {isTarget && <span className={styles.here}>{messageCopy.here}</span>}
      {isEditing ? <Edited {...props} /> : <Said {...props} />}
    </article>
  );
});

function Edited({ message, verbs }: MessageBubbleProps) {
  return (
    <>
      <Attachments message={message} />
      <EditMessage
        text={message.text}
        hasFiles={message.attachments !== undefined}
        onCancel={() => verbs.startEdit(undefined)}
        onSend={(text) => {
          verbs.startEdit(undefined);
          verbs.editAndResend(message.id, text);
        }}
      />
    </>
  );
}

function Said({ message, canRetry, verbs }: MessageBubbleProps) {
  const { id, role, text, state, used } = message;
  const [isAsking, setAsking] = useState(false);
  const isUser = role === "user";
  const isStreaming = state === "streaming";
  const remember = (words: string) => {
    setAsking(false);
    verbs.remember?.(words, id);
  };
  return (
    <>
      <Reasoning message={message} />
      <Attachments message={message} />
      {(text !== "" || isStreaming) && (
        <div className={styles.content} data-remember data-message-id={id}>
          {isStreaming && text === "" ? <Thinking /> : <MessageText text={text} isStreaming={isStreaming} />}
        </div>
      )}
      <Ending message={message} canRetry={canRetry} verbs={verbs} />
      <NotSent message={message} />
      <MemoryUpdated messageId={id} book={verbs.book} />
      <Forgot message={message} book={verbs.book} />
      <div className={styles.foot}>
        {state !== "failed" && used !== undefined && used.length > 0 && (
          <UsedMemories used={used} book={verbs.book} sources={verbs.sources} />
        )}
        {!isStreaming && (
          <div className={styles.actions}>
            <MessageActions
              text={text}
              onRemember={
                verbs.remember && text !== ""
                  ? () => (isShortStatement(message) ? remember(text) : setAsking(true))
                  : undefined
              }
              onEdit={isUser ? () => verbs.startEdit(id) : undefined}
              // A failed answer has its own button.
              onRetry={canRetry && !isUser && state !== "failed" ? verbs.retry : undefined}
            />
            <time className={styles.time} dateTime={new Date(message.at).toISOString()}>
              {formatTime(message.at)}
            </time>
          </div>
        )}
      </div>
      {isAsking && <AskToRemember text={text} onRemember={remember} onCancel={() => setAsking(false)} />}
    </>
  );
}

export function Thinking({ text = messageCopy.thinking }: { readonly text?: string }) {
  return <p className={styles.thinking}>{text}</p>;
}

interface EndingProps {
  readonly message: ShownMessage;
  readonly canRetry: boolean;
  readonly verbs: Pick<MessageVerbs, "retry" | "continueAnswer">;
}

/** The end of a message that is not simply complete. */
function Ending({ message, canRetry, verbs }: EndingProps) {
  const { role, state, problem, text } = message;
  const goOn = canRetry && text !== "" && (
    <Button kind="link" onClick={verbs.continueAnswer}>
      {messageCopy.continue}
    </Button>
  );
  if (state === "failed") {
    return (
      <div className={styles.failed}>
        <CircleAlert aria-hidden />
        <p>
          <VisuallyHidden>{messageCopy.failed}</VisuallyHidden>
          {problem ?? messageCopy.interruptedProblem}
        </p>
        {canRetry && <Button onClick={verbs.retry}>{messageCopy.tryAgain}</Button>}
        {goOn}
      </div>
    );
  }
  if (isPartial(state)) {
    return (
      <p className={styles.stopped}>
        <CircleStop aria-hidden /> {messageCopy[state]} {goOn}
      </p>
    );
  }
  if (role === "user" && canRetry) {
    return (
      <p className={styles.stopped}>
        {messageCopy.noReply}{" "}
        <Button kind="link" onClick={verbs.retry}>
          {messageCopy.getReply}
        </Button>
      </p>
    );
  }
  return null;
}

interface MessageActionsProps {
  readonly text: string;
  readonly onRemember?: (() => void) | undefined;
  readonly onEdit?: (() => void) | undefined;
  readonly onRetry?: (() => void) | undefined;
}

/** Actions of a message. With a pointer they appear on hover or focus. */
function MessageActions({ text, onRemember, onEdit, onRetry }: MessageActionsProps) {
  const { isCopied, copy: copyText } = useCopied();
  return (
    <div className={styles.messageActionsActions}>
      {isCopied && (
        <span className={styles.copied} aria-hidden>
          {chatCopy.copy.copied}
        </span>
      )}
      {text !== "" && (
        <IconButton
          size="small"
          label={messageCopy.copy}
          icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
          onClick={() => copyText(text)}
        />
      )}
      {onRemember && (
        <IconButton size="small" label={messageCopy.remember} icon={<Bookmark aria-hidden />} onClick={onRemember} />
      )}
      {onEdit && <IconButton size="small" label={messageCopy.edit} icon={<Pencil aria-hidden />} onClick={onEdit} />}
      {onRetry && (
        <IconButton size="small" label={messageCopy.regenerate} icon={<RotateCcw aria-hidden />} onClick={onRetry} />
      )}
    </div>
  );
}

interface EditMessageProps {
  readonly text: string;
  /** It has files, which stay: its text may be empty. */
  readonly hasFiles: boolean;
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

/** Edits a message of the person and sends it again. */
function EditMessage({ text, hasFiles, onSend, onCancel }: EditMessageProps) {
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
        aria-label={messageCopy.editing}
        value={edited}
        // The person just asked to edit it.
        autoFocus
        onFocus={(event) => event.currentTarget.setSelectionRange(edited.length, edited.length)}
        onChange={(event) => setEdited(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.bar}>
        <span className={styles.hint}>{messageCopy.newVersion}</span>
        <Button kind="quiet" onClick={onCancel}>
          {chatCopy.cancel}
        </Button>
        <Button kind="primary" type="submit" disabled={!canSend}>
          {messageCopy.send}
        </Button>
      </div>
    </form>
  );
}
