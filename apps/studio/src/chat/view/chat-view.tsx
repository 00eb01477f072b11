import { lazy, type ReactNode, Suspense, useCallback, useRef, useState } from "react";
import type { Receipt } from "throughline";
import type { FactBook } from "throughline/chat";
import type { ModelManager } from "../../models/chat-model.ts";
import { classNames } from "../../ui/class-names.ts";
import { useSnapshot } from "../../ui/use-snapshot.ts";
import type { Chat } from "../chat-state.ts";
import { ChatHeader } from "./chat-header.tsx";
import { ChatNotice, DemoNotice } from "./chat-notice.tsx";
import styles from "./chat-view.module.css";
import type { ComposerHandle } from "./composer/composer.tsx";
import { ModelComposer, QueuedMessages } from "./composer/model-composer.tsx";
import { Conversation, isEmptyChat, useAnnouncedAnswers } from "./conversation.tsx";
import { FirstSteps } from "./empty-chat.tsx";
import type { MemorySources } from "./messages/memory-notes.tsx";
import type { Jump } from "./messages/use-message-scrolling.ts";
import { useChatActions } from "./use-chat-actions.ts";
import { useChatKeys } from "./use-chat-keys.ts";

const RequestDetails = lazy(async () => ({ default: (await import("./inspect/request-details.tsx")).RequestDetails }));

export interface ChatViewProps {
  readonly chat: Chat;
  readonly models: ModelManager;
  readonly book: FactBook;
  /** Sources of memories. Stable between renders. */
  readonly sources: MemorySources;
  /** Receipts of the open conversation, the newest last. Stable between renders. */
  readonly readReceipts: (limit?: number) => Promise<readonly Receipt[]>;
  readonly onChooseModel: () => void;
  readonly onTryDemo: () => void;
  readonly onRemoveDemo: () => void;
  /** Saves text of a message as a memory. Stable between renders. */
  readonly onRemember?: ((text: string, messageId: string) => void) | undefined;
  /** Message to jump to, once for each time of `at`. */
  readonly jump?: Jump | undefined;
  /** Opens the list of conversations if it is a drawer. */
  readonly onOpenSidebar?: () => void;
  readonly memoryPill?: ReactNode;
  readonly modelPicker?: ReactNode;
  /** Place above the composer for notices of memories. */
  readonly dock?: ReactNode;
}

/** One open conversation. */
export function ChatView(props: ChatViewProps) {
  const { chat, models, book, sources, jump } = props;
  const state = useSnapshot(chat);
  const composer = useRef<ComposerHandle>(null);
  const [isInspecting, setInspecting] = useState(false);
  // Loaded when it is first opened.
  const [wasInspecting, setWasInspecting] = useState(false);
  if (isInspecting && !wasInspecting) setWasInspecting(true);
  const { verbs, notice, setNotice, summaries } = useChatActions({ chat, book, sources, onRemember: props.onRemember });
  const view = useChatKeys({
    onInspect: useCallback(() => setInspecting((isOpen) => !isOpen), []),
    onCompose: useCallback(() => composer.current?.focus(), []),
  });
  useAnnouncedAnswers(state.messages);
  const { isAnswering, isCondensing, messages } = state;
  const isEmpty = isEmptyChat(state);
  const memories = useSnapshot(book).facts.length;
  const hasModel = useSnapshot(models).current !== undefined;
  const hasFirstSteps = isEmpty && !state.isTemporary && (memories === 0 || !hasModel);
  const canCondense = !isAnswering && !isCondensing && messages.length > 0;
  return (
    <main className={classNames(styles.view, isEmpty && styles.first)} ref={view}>
      <ChatHeader
        state={state}
        onRename={verbs.rename}
        onVersion={verbs.showVersion}
        onCondense={canCondense ? verbs.condense : undefined}
        onInspect={() => setInspecting(true)}
        onSwitchMemory={verbs.switchMemory}
        onOpenSidebar={props.onOpenSidebar}
        memoryPill={props.memoryPill}
      />
      {state.isDemo && <DemoNotice onRemove={props.onRemoveDemo} />}
      <Conversation {...{ state, models, verbs, jump, summaries }} onNotice={setNotice} />
      {notice !== undefined && <ChatNotice notice={notice} onDismiss={() => setNotice(undefined)} />}
      {props.dock}
      <QueuedMessages
        queued={state.queued}
        onCancel={(id) => {
          const message = verbs.unqueue(id);
          if (message !== undefined) composer.current?.fill(message.text, message.attachments);
        }}
      />
      <ModelComposer
        key={state.conversationId}
        ref={composer}
        state={state}
        models={models}
        onSend={verbs.send}
        onStop={verbs.stop}
        onProblem={(text) => setNotice({ kind: "problem", text })}
        modelPicker={props.modelPicker}
        onChooseModel={props.onChooseModel}
      />
      {hasFirstSteps && (
        <FirstSteps
          hasStarters={memories === 0}
          onPick={(text) => composer.current?.fill(text)}
          onTryDemo={props.onTryDemo}
        />
      )}
      {wasInspecting && (
        <Suspense>
          <RequestDetails
            isOpen={isInspecting}
            onOpenChange={setInspecting}
            readReceipts={props.readReceipts}
            {...{ messages, book, isAnswering }}
            contextLimit={state.use.limit}
          />
        </Suspense>
      )}
    </main>
  );
}
