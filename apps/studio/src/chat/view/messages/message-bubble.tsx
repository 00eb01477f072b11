import { CircleAlert, CircleStop } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import type { FactBook } from "throughline/chat";
import { chatCopy } from "../../../copy/chat.ts";
import { Button } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { VisuallyHidden } from "../../../ui/visually-hidden.tsx";
import { isPartial, type ShownMessage } from "../../chat.ts";
import { formatTime } from "../format.ts";
import { AskToRemember } from "./ask-to-remember.tsx";
import { EditMessage } from "./edit-message.tsx";
import type { MemorySources } from "./memory-sources.ts";
import { MessageActions } from "./message-actions.tsx";
import styles from "./message-bubble.module.css";
import { Attachments, Forgot, MemoryUpdated, NotSent, Reasoning } from "./message-extras.tsx";
import { MessageText } from "./message-text.tsx";
import { isShortStatement } from "./remember-candidates.ts";
import { UsedMemories } from "./used-memories.tsx";

const { message: copy } = chatCopy;

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

export interface MessageBubbleProps {
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
  const name = isUser ? copy.you : copy.assistant;
  return (
    <article
      ref={own}
      tabIndex={-1}
      aria-label={copy.label(name, formatTime(message.at))}
      aria-posinset={position}
      aria-setsize={total}
      data-state={message.state}
      data-last={props.canRetry || undefined}
      className={classNames(styles.message, isUser ? styles.user : styles.answer, isTarget && styles.target)}
    >
      {isTarget && <span className={styles.here}>{copy.here}</span>}
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

export function Thinking({ text = copy.thinking }: { readonly text?: string }) {
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
      {copy.continue}
    </Button>
  );
  if (state === "failed") {
    return (
      <div className={styles.failed}>
        <CircleAlert aria-hidden />
        <p>
          <VisuallyHidden>{copy.failed}</VisuallyHidden>
          {problem ?? copy.interruptedProblem}
        </p>
        {canRetry && <Button onClick={verbs.retry}>{copy.tryAgain}</Button>}
        {goOn}
      </div>
    );
  }
  if (isPartial(state)) {
    return (
      <p className={styles.stopped}>
        <CircleStop aria-hidden /> {copy[state]} {goOn}
      </p>
    );
  }
  if (role === "user" && canRetry) {
    return (
      <p className={styles.stopped}>
        {copy.noReply}{" "}
        <Button kind="link" onClick={verbs.retry}>
          {copy.getReply}
        </Button>
      </p>
    );
  }
  return null;
}
