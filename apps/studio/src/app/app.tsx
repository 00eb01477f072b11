import { Brain, Monitor, Moon, Sun } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { ChatView } from "../chat/view/chat-view.tsx";
import { ConversationSidebar } from "../chat/view/conversations/conversation-sidebar.tsx";
import { ModelPicker } from "../models/picker/model-picker.tsx";
import { titlesById } from "../panel/describe-source.ts";
import { MemoryPanel } from "../panel/memory-panel.tsx";
import { MemoryPill } from "../panel/memory-pill.tsx";
import { endAllToasts } from "../panel/panel-toast.ts";
import { RememberSelectionAction, rememberText } from "../panel/remember-selection-action.tsx";
import type { MenuAction } from "../ui/action-menu.tsx";
import { UiHost } from "../ui/ui-host.tsx";
import { useSnapshot } from "../ui/use-snapshot.ts";
import styles from "./app.module.css";
import type { Studio } from "./studio.ts";
import { type Theme, themeChoice } from "./theme.ts";
import { useLearning } from "./use-learning.ts";

/** The whole page: conversations, the open one, and what is remembered. */
export function App({ studio }: { readonly studio: Studio }) {
  const { keeping, conversations, room, jump, isMemoryOn } = useSnapshot(studio);
  const { isTemporary, isMemoryOn: isMemoryOnHere } = useSnapshot(room);
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [isSidebarOpen, setSidebarOpen] = useState(false);
  const [isPicking, setPicking] = useState(false);
  const titles = useMemo(() => titlesById(conversations), [conversations]);
  const sources = useMemo(
    () => ({ titles, jumpTo: (source: Parameters<Studio["jumpTo"]>[0]) => studio.jumpTo(source) }),
    [studio, titles],
  );
  useLearning(studio, room);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is said of one conversation is not said in the next
  useEffect(() => endAllToasts, [room]);
  return (
    <div className={styles.app}>
      <ConversationSidebar studio={studio} isOpen={isSidebarOpen} onOpenChange={setSidebarOpen} />
      <div className={styles.chat}>
        {keeping.where === "tab" && (
          <p className={styles.notice} role="status">
            {keeping.why}
          </p>
        )}
        <ChatView
          room={room}
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
          onOpenSidebar={() => setSidebarOpen(true)}
          memoryPill={
            <MemoryPill
              book={studio.book}
              isUsed={isMemoryOnHere}
              isOpen={isPanelOpen}
              onOpen={() => setPanelOpen(true)}
            />
          }
          modelPicker={<ModelPicker shelf={studio.models} isOpen={isPicking} onOpenChange={setPicking} />}
          menuActions={[memoryAction(studio, isMemoryOn), ...useThemeActions()]}
        />
      </div>
      <MemoryPanel studio={studio} open={isPanelOpen} onOpenChange={setPanelOpen} />
      {!isTemporary && isMemoryOnHere && <RememberSelectionAction studio={studio} />}
      <UiHost />
    </div>
  );
}

/** Memory as a whole; each chat can also be without. */
function memoryAction(studio: Studio, isOn: boolean): MenuAction {
  return {
    label: isOn ? "Turn memory off everywhere" : "Turn memory on",
    icon: <Brain />,
    onSelect: () => void studio.switchMemory(!isOn),
  };
}

const THEMES: readonly { readonly theme: Theme; readonly label: string; readonly icon: typeof Sun }[] = [
  { theme: "system", label: "System", icon: Monitor },
  { theme: "light", label: "Light", icon: Sun },
  { theme: "dark", label: "Dark", icon: Moon },
];

function useThemeActions(): readonly MenuAction[] {
  const { theme: chosen } = useSnapshot(themeChoice);
  return THEMES.map(({ theme, label, icon: Icon }, at) => ({
    label: theme === chosen ? `${label} ✓` : label,
    icon: <Icon />,
    startsGroup: at === 0,
    onSelect: () => themeChoice.choose(theme),
  }));
}
