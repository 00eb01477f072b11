import { type ReactNode, useCallback, useRef, useState } from "react";
import type { Receipt } from "throughline";
import type { FactBook } from "throughline/chat";
import type { ModelShelf } from "../../models/chat-model.ts";
import type { MenuAction } from "../../ui/action-menu.tsx";
import { useSnapshot } from "../../ui/use-snapshot.ts";
import type { ChatRoom } from "../chat-room.ts";
import { ChatHeader } from "./chat-header.tsx";
import { ChatNotice } from "./chat-notice.tsx";
import styles from "./chat-view.module.css";
import type { ComposerHandle } from "./composer/composer.tsx";
import { ModelComposer } from "./composer/model-composer.tsx";
import { QueuedMessages } from "./composer/queued-messages.tsx";
import { Conversation } from "./conversation.tsx";
import { DemoNotice } from "./demo-notice.tsx";
import { DebugView } from "./inspect/debug-view.tsx";
import type { MemorySources } from "./messages/memory-sources.ts";
import { useAnnouncedAnswers } from "./messages/use-announced-answers.ts";
import type { Jump } from "./messages/use-jump.ts";
import { useChatKeys } from "./use-chat-keys.ts";
import { useRoomVerbs } from "./use-room-verbs.ts";

export interface ChatViewProps {
  readonly room: ChatRoom;
  readonly models: ModelShelf;
  readonly book: FactBook;
  /** Where memories come from, and how to get there. The same object as long as nothing changes. */
  readonly sources: MemorySources;
  /** The receipts of the open conversation, the newest last. The same function as long as nothing changes. */
  readonly readReceipts: (limit?: number) => Promise<readonly Receipt[]>;
  readonly onChooseModel: () => void;
  readonly onTryDemo: () => void;
  readonly onRemoveDemo: () => void;
  /** Keeps words of a message as a memory. The same function as long as nothing changes. */
  readonly onRemember?: ((text: string, messageId: string) => void) | undefined;
  /** Go to this message; each is gone to once, told apart by its time. */
  readonly jump?: Jump | undefined;
  /** Opens the list of conversations where it is a drawer. */
  readonly onOpenSidebar?: () => void;
  readonly memoryPill?: ReactNode;
  readonly modelPicker?: ReactNode;
  /** Stand behind the chat's own actions in its menu. */
  readonly menuActions?: readonly MenuAction[];
}

/** One open conversation. */
export function ChatView(props: ChatViewProps) {
  const { room, models, book, sources, jump } = props;
  const state = useSnapshot(room);
  const composer = useRef<ComposerHandle>(null);
  const [isInspecting, setInspecting] = useState(false);
  const { verbs, notice, setNotice } = useRoomVerbs({ room, book, sources, onRemember: props.onRemember });
  const view = useChatKeys({
    onInspect: useCallback(() => setInspecting((isOpen) => !isOpen), []),
    onCompose: useCallback(() => composer.current?.focus(), []),
  });
  useAnnouncedAnswers(state.messages);
  const { isAnswering, isCondensing, messages } = state;
  const canCondense = !isAnswering && !isCondensing && messages.length > 0;
  return (
    <main className={styles.view} ref={view}>
      <ChatHeader
        state={state}
        onRename={verbs.rename}
        onVersion={verbs.showVersion}
        onCondense={canCondense ? verbs.condense : undefined}
        onInspect={() => setInspecting(true)}
        onSwitchMemory={verbs.switchMemory}
        onOpenSidebar={props.onOpenSidebar}
        memoryPill={props.memoryPill}
        menuActions={props.menuActions}
      />
      {state.isDemo && <DemoNotice onRemove={props.onRemoveDemo} />}
      <Conversation
        {...{ state, models, verbs, jump }}
        onPick={(text) => composer.current?.fill(text)}
        onNotice={setNotice}
      />
      {notice !== undefined && <ChatNotice notice={notice} onDismiss={() => setNotice(undefined)} />}
      <QueuedMessages
        queued={state.queued}
        onCancel={(id) => {
          const text = verbs.unqueue(id);
          if (text !== undefined) composer.current?.fill(text);
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
        onTryDemo={props.onTryDemo}
      />
      <DebugView
        isOpen={isInspecting}
        onOpenChange={setInspecting}
        readReceipts={props.readReceipts}
        {...{ messages, book, isAnswering }}
        contextLimit={state.use.limit}
      />
    </main>
  );
}
