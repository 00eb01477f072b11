import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { messageOf } from "throughline/internal/util";
import { useMemoryExtraction } from "throughline/react";
import type { Chat, ShownMessage } from "../../chat/chat-state.ts";
import { saidMessages } from "../../chat/shown-messages.ts";
import { ChatView } from "../../chat/view/chat-view.tsx";
import { ConversationSidebar } from "../../chat/view/conversations/conversation-sidebar.tsx";
import { frameCopy } from "../../copy/frame.ts";
import { ModelPicker } from "../../models/picker/model-picker.tsx";
import { titlesById } from "../../panel/cards/describe-source.ts";
import { MemoryPanel, MemoryPill } from "../../panel/memory-panel.tsx";
import { RememberSelectionAction, rememberText } from "../../panel/memory-toasts.tsx";
import { panelToasts } from "../../panel/panel-toast.ts";
import { Announcements } from "../../ui/announce.tsx";
import { TooltipHost } from "../../ui/controls/icon-button.tsx";
import { useSnapshot } from "../../ui/use-snapshot.ts";
import { languageChoice } from "../device-settings.ts";
import { openStudio } from "../open-studio.ts";
import { openRoute, useRoute } from "../route.ts";
import type { Studio } from "../studio.ts";
import styles from "./app.module.css";

const SessionsView = lazy(async () => ({ default: (await import("../../sessions/sessions-view.tsx")).SessionsView }));
const MemoriesView = lazy(async () => ({ default: (await import("../../memories/memories-view.tsx")).MemoriesView }));
const ServerPlace = lazy(async () => ({ default: (await import("./server-place.tsx")).ServerPlace }));
const SettingsPage = lazy(async () => ({
  default: (await import("../../settings/settings-page.tsx")).SettingsPage,
}));

// Loaded when it first asks.
const ConfirmDialog = lazy(async () => ({
  default: (await import("../../ui/overlays/confirm-dialog.tsx")).ConfirmDialog,
}));

/** The whole page: conversations with the open one or the settings, the sessions, or the memories of the server. */
function App({ studio }: { readonly studio: Studio }) {
  const { storage, chat, leaving } = useSnapshot(studio);
  const { isTemporary, isMemoryOn: isMemoryOnHere } = useSnapshot(chat);
  const { place, path } = useRoute();
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [isSidebarOpen, setSidebarOpen] = useState(false);
  const [dock, setDock] = useState<HTMLElement | null>(null);
  const openSidebar = useCallback(() => setSidebarOpen(true), []);
  const openPanel = useCallback(() => setPanelOpen(true), []);
  const goToChat = useCallback(() => openRoute("chat"), []);
  const [wasLeaving, setWasLeaving] = useState(false);
  if (leaving !== undefined && !wasLeaving) setWasLeaving(true);
  const docked = <div ref={setDock} className={styles.dock} />;
  useLearning(studio, chat);
  // biome-ignore lint/correctness/useExhaustiveDependencies: toasts belong to one conversation
  useEffect(() => () => panelToasts.dismissAll(), [chat]);
  return (
    <div className={styles.app}>
      {place === "sessions" || place === "memories" ? (
        <Suspense>
          <ServerPlace place={place}>
            {place === "sessions" ? <SessionsView path={path} /> : <MemoriesView />}
          </ServerPlace>
        </Suspense>
      ) : (
        <>
          <ConversationSidebar
            studio={studio}
            isOpen={isSidebarOpen}
            onOpenChange={setSidebarOpen}
            isInSettings={place === "settings"}
            onSettings={() => openRoute("settings")}
            onChat={goToChat}
          />
          <div className={styles.place}>
            {storage.where === "tab" && (
              <p className={styles.notice} role="status">
                {storage.why}
              </p>
            )}
            {place === "chat" ? (
              <OpenChat
                studio={studio}
                dock={docked}
                isPanelOpen={isPanelOpen}
                onOpenPanel={openPanel}
                onOpenSidebar={openSidebar}
              />
            ) : (
              <Suspense>
                <SettingsPage studio={studio} dock={docked} onOpenSidebar={openSidebar} onClose={goToChat} />
              </Suspense>
            )}
          </div>
          {!isTemporary && isMemoryOnHere && <RememberSelectionAction studio={studio} />}
        </>
      )}
      <MemoryPanel studio={studio} open={isPanelOpen} onOpenChange={setPanelOpen} onJumped={goToChat} dock={dock} />
      {wasLeaving && (
        <Suspense>
          <ConfirmDialog onDecide={leaving} {...frameCopy.leaveTemporary} />
        </Suspense>
      )}
      <Announcements aria-live="polite" />
      <TooltipHost />
    </div>
  );
}

interface OpenChatProps {
  readonly studio: Studio;
  readonly dock: React.ReactNode;
  readonly isPanelOpen: boolean;
  readonly onOpenPanel: () => void;
  readonly onOpenSidebar: () => void;
}

function OpenChat({ studio, dock, isPanelOpen, onOpenPanel, onOpenSidebar }: OpenChatProps) {
  const { conversations, chat, jump } = useSnapshot(studio);
  const { isMemoryOn } = useSnapshot(chat);
  const { value: language } = useSnapshot(languageChoice);
  const [isPicking, setPicking] = useState(false);
  const titles = useMemo(() => titlesById(conversations), [conversations]);
  const sources = useMemo(
    () => ({ titles, jumpTo: (source: Parameters<Studio["jumpTo"]>[0]) => studio.jumpTo(source) }),
    [studio, titles],
  );
  return (
    <ChatView
      // Unchanged rows are not rendered again, so another language needs a new view.
      key={language}
      chat={chat}
      models={studio.models}
      book={studio.book}
      sources={sources}
      jump={jump}
      readReceipts={useCallback((limit?: number) => studio.receipts(limit), [studio])}
      onRemember={useCallback(
        (text: string, messageId: string) => void rememberText(studio, text, messageId),
        [studio],
      )}
      onTryDemo={() => void studio.startDemo()}
      onRemoveDemo={() => void studio.removeDemo()}
      onChooseModel={() => setPicking(true)}
      onOpenSidebar={onOpenSidebar}
      memoryPill={<MemoryPill book={studio.book} isUsed={isMemoryOn} isOpen={isPanelOpen} onOpen={onOpenPanel} />}
      modelPicker={<ModelPicker manager={studio.models} isOpen={isPicking} onOpenChange={setPicking} />}
      dock={dock}
    />
  );
}

/** Opens the data of this device and returns the app, or an error page. */
export async function openApp(): Promise<ReactNode> {
  try {
    return <App studio={await openStudio()} />;
  } catch (error) {
    return <OpeningFailed error={error} />;
  }
}

const { failed } = frameCopy;

/** The page if the Studio could not be opened. */
function OpeningFailed({ error }: { readonly error: unknown }) {
  return (
    <main className={styles.failed}>
      <h1>{failed.title}</h1>
      <p>{messageOf(error)}</p>
      <p>{failed.words}</p>
      <button type="button" onClick={() => location.reload()}>
        {failed.reload}
      </button>
    </main>
  );
}

const NOTHING: readonly ShownMessage[] = [];

/** Extracts facts from the open conversation: every five messages and at its end. With memory off, nothing is read. */
function useLearning(studio: Studio, chat: Chat): void {
  const { conversationId, isMemoryOn, messages } = useSnapshot(chat);
  const said = useMemo(() => (isMemoryOn ? saidMessages(messages) : NOTHING), [isMemoryOn, messages]);
  useMemoryExtraction(conversationId, said, {
    extract: ({ conversationId: id, fresh }) => studio.learn(id, fresh),
  });
}
