import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { chatCopy } from "../../copy/chat.ts";
import type { ModelManager } from "../../models/chat-model.ts";
import { useSnapshot } from "../../ui/use-snapshot.ts";
import type { ChatState } from "../chat.ts";
import type { Notice } from "./chat-notice.tsx";
import styles from "./conversation.module.css";
import { EmptyChat } from "./empty-chat.tsx";
import { MessageSkeleton } from "./messages/message-skeleton.tsx";
import type { Jump } from "./messages/use-jump.ts";
import type { ChatActions } from "./use-chat-actions.ts";

/** Loads the list together with Markdown, so that rows are measured once. */
async function loadList() {
  const [{ MessageList }, { markdownReady }] = await Promise.all([
    import("./messages/message-list.tsx"),
    import("./markdown/markdown-ready.ts"),
  ]);
  await markdownReady;
  return { default: MessageList };
}

const ReadyList = lazy(loadList);

export interface ConversationProps {
  readonly state: ChatState;
  readonly models: ModelManager;
  readonly verbs: ChatActions;
  readonly jump: Jump | undefined;
  /** Number of summaries that were asked for. Their notes stand at the end. */
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
