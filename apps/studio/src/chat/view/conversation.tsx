import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { chatCopy } from "../../copy/chat.ts";
import type { ModelManager } from "../../models/chat-model.ts";
import { announce } from "../../ui/announce.tsx";
import { classNames } from "../../ui/class-names.ts";
import { useSnapshot } from "../../ui/use-snapshot.ts";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import { type ChatState, isPartial, type ShownMessage } from "../chat-state.ts";
import type { Notice } from "./chat-notice.tsx";
import styles from "./conversation.module.css";
import { EmptyChat } from "./empty-chat.tsx";
import type { Jump } from "./messages/use-message-scrolling.ts";
import type { ChatActions } from "./use-chat-actions.ts";

/** Loads the list together with Markdown, so that rows are measured once. */
async function loadList() {
  const [{ MessageList }, { markdownReady }] = await Promise.all([
    import("./messages/message-list.tsx"),
    import("./messages/message-text.tsx"),
  ]);
  await markdownReady;
  return { default: MessageList };
}

const ReadyList = lazy(loadList);

interface ConversationProps {
  readonly state: ChatState;
  readonly models: ModelManager;
  readonly verbs: ChatActions;
  readonly jump: Jump | undefined;
  /** Number of requested summaries. Their notes are at the end. */
  readonly summaries: number;
  readonly onNotice: (notice: Notice) => void;
}

/** The chat has no messages. */
export function isEmptyChat({ status, messages, isAnswering }: ChatState): boolean {
  return status === "ready" && messages.length === 0 && !isAnswering;
}

/** Area between header and composer: the messages, or the reason that there are none. */
export function Conversation({ state, models, verbs, jump, summaries, onNotice }: ConversationProps) {
  const { current } = useSnapshot(models);
  const memories = useSnapshot(verbs.book).facts.length;
  const [jumpedAt, setJumpedAt] = useState<number>();
  const onJumped = useCallback(
    ({ at }: Jump, isFound: boolean) => {
      setJumpedAt(at);
      if (!isFound) onNotice({ kind: "word", text: chatCopy.messageGone });
    },
    [onNotice],
  );
  // The first screen needs no list; with a model, an answer will.
  useEffect(() => {
    if (current !== undefined) void loadList();
  }, [current]);
  if (state.status === "loading") return <MessageSkeleton />;
  if (state.status === "failed") {
    return (
      <p className={styles.failed} role="alert">
        {state.problem}
      </p>
    );
  }
  if (isEmptyChat(state)) return <EmptyChat isTemporary={state.isTemporary} memories={memories} />;
  return (
    <Suspense fallback={<MessageSkeleton />}>
      <ReadyList
        key={state.conversationId}
        state={state}
        canAnswer={current !== undefined}
        verbs={verbs}
        summaries={summaries}
        jump={jump?.at === jumpedAt ? undefined : jump}
        onJumped={onJumped}
      />
    </Suspense>
  );
}

/** Widths in percent; a question, and the lines of its answer. */
const EXCHANGES = [
  [46, 92, 97, 58],
  [34, 88, 74],
] as const;

/** A conversation that is being read, in the shape it will have. */
function MessageSkeleton() {
  return (
    <div className={styles.skeleton}>
      <VisuallyHidden role="status">{chatCopy.loading}</VisuallyHidden>
      {EXCHANGES.flatMap((widths) =>
        widths.map((width, at) => (
          <div
            key={width}
            className={classNames(styles.line, at === 0 && styles.said)}
            style={{ width: `${width}%` }}
          />
        )),
      )}
    </div>
  );
}

const { announce: copy } = chatCopy;

/** Maximum characters that are announced. */
const READ_OUT = 600;

/** Announces an answer to screen readers once it is finished. */
export function useAnnouncedAnswers(messages: readonly ShownMessage[]): void {
  const last = messages.at(-1);
  const streamed = useRef<string>(undefined);
  useEffect(() => {
    if (last === undefined) return;
    if (last.state === "streaming") streamed.current = last.id;
    else if (streamed.current === last.id) {
      streamed.current = undefined;
      announce(finishedWords(last));
    }
  }, [last]);
}

/** Announcement of a finished answer. */
export function finishedWords({ state, text, problem }: ShownMessage): string {
  if (state === "failed") return copy.failed(problem ?? "");
  const said = text.length > READ_OUT ? `${text.slice(0, READ_OUT)}${copy.rest}` : text;
  if (state === "cut" || state === "filtered") return `${chatCopy.message[state]} ${said}`;
  return isPartial(state) ? copy.stopped(said) : copy.reply(said);
}
