import { Menu } from "@base-ui/react/menu";
import {
  Brain,
  ChevronLeft,
  ChevronRight,
  CircleDashed,
  Ellipsis,
  PanelLeft,
  Pencil,
  ScanSearch,
  Shrink,
} from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { chatCopy } from "../../copy/chat.ts";
import { frameCopy } from "../../copy/frame.ts";
import { showShortcut } from "../../panel/shortcut.ts";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { RenameField } from "../../ui/controls/rename-field.tsx";
import { type MenuAction, MenuActions } from "../../ui/overlays/action-menu.tsx";
import { NARROW, useMedia } from "../../ui/use-snapshot.ts";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import type { ChatState } from "../chat-state.ts";
import styles from "./chat-header.module.css";
import { ContextRing } from "./context-ring.tsx";
import { INSPECT_KEYS } from "./use-chat-keys.ts";

const { header: headerCopy } = chatCopy;

interface ChatHeaderProps {
  readonly state: ChatState;
  readonly onRename: (title: string) => void;
  readonly onVersion: (version: number) => void;
  /** `undefined` if nothing can be summarized now. */
  readonly onCondense: (() => void) | undefined;
  readonly onInspect: () => void;
  readonly onSwitchMemory: (isOn: boolean) => void;
  readonly onOpenSidebar?: (() => void) | undefined;
  readonly memoryPill?: ReactNode;
}

/** Header of a conversation: title, version, context, memories and a menu. */
export function ChatHeader(props: ChatHeaderProps) {
  const { state, onRename, onVersion, onCondense, onInspect, onOpenSidebar, memoryPill } = props;
  const [isRenaming, setRenaming] = useState(false);
  const isNarrow = useMedia(NARROW);
  const rename = {
    label: headerCopy.rename,
    icon: <Pencil aria-hidden />,
    keys: "F2",
    onSelect: () => setRenaming(true),
  };
  const condense = { label: chatCopy.context.summarize, icon: <Shrink aria-hidden />, onSelect: () => onCondense?.() };
  const memory = {
    label: state.isMemoryOn ? headerCopy.memoryOff : headerCopy.memoryOn,
    icon: <Brain aria-hidden />,
    onSelect: () => props.onSwitchMemory(!state.isMemoryOn),
  };
  const inspect = { label: headerCopy.viewRequest, icon: <ScanSearch aria-hidden />, onSelect: onInspect };
  const actions: readonly MenuAction[] = [
    ...(state.isTemporary ? [] : [rename, memory]),
    { ...condense, isDisabled: onCondense === undefined },
    { ...inspect, keys: showShortcut(INSPECT_KEYS) },
  ];
  return (
    <header className={styles.header}>
      {isNarrow && onOpenSidebar && (
        <IconButton label={frameCopy.openSidebar} icon={<PanelLeft aria-hidden />} onClick={onOpenSidebar} />
      )}
      <ChatTitle state={state} isRenaming={isRenaming} onRenaming={setRenaming} onRename={onRename} />
      <VersionSwitch {...state.version} isDisabled={state.isAnswering} onShow={onVersion} />
      {state.messages.length > 0 && (
        <ContextRing use={state.use} isCondensing={state.isCondensing} onCondense={onCondense} />
      )}
      {memoryPill}
      <Menu.Root>
        <Menu.Trigger render={<IconButton label={headerCopy.more} icon={<Ellipsis aria-hidden />} />} />
        <MenuActions actions={actions} />
      </Menu.Root>
    </header>
  );
}

interface ChatTitleProps {
  readonly state: Pick<ChatState, "title" | "isTemporary">;
  readonly isRenaming: boolean;
  readonly onRenaming: (isRenaming: boolean) => void;
  readonly onRename: (title: string) => void;
}

/** Title of a conversation; a click or F2 renames it in place. A temporary one has no name. */
function ChatTitle({ state, isRenaming, onRenaming, onRename }: ChatTitleProps) {
  const name = useRef<HTMLButtonElement>(null);
  const finish = (title: string | undefined) => {
    onRenaming(false);
    if (title !== undefined) onRename(title);
    requestAnimationFrame(() => name.current?.focus());
  };
  if (state.isTemporary) {
    return (
      <h1 className={styles.title}>
        <span className={styles.temporary}>
          <CircleDashed aria-hidden /> {chatCopy.temporary}
        </span>
      </h1>
    );
  }
  return (
    <h1 className={styles.title}>
      {isRenaming ? (
        <RenameField title={state.title} onDone={finish} />
      ) : (
        <button
          ref={name}
          type="button"
          dir="auto"
          className={styles.name}
          title={chatCopy.header.renameHint}
          onClick={() => onRenaming(true)}
          onKeyDown={(event) => event.key === "F2" && onRenaming(true)}
        >
          {state.title}
        </button>
      )}
    </h1>
  );
}

const { versions: versionsCopy } = chatCopy;

interface VersionSwitchProps {
  /** From 1. */
  readonly shown: number;
  readonly of: number;
  readonly isDisabled: boolean;
  readonly onShow: (version: number) => void;
}

/** Switches between the versions of a conversation. An edit or a regenerated answer starts a new one. */
function VersionSwitch({ shown, of, isDisabled, onShow }: VersionSwitchProps) {
  if (of < 2) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons and a number, no fields
    <div className={styles.switch} role="group" aria-label={versionsCopy.group}>
      <IconButton
        size="small"
        label={versionsCopy.earlier}
        icon={<ChevronLeft aria-hidden />}
        disabled={isDisabled || shown <= 1}
        onClick={() => onShow(shown - 1)}
      />
      <span className={styles.number}>
        <VisuallyHidden>{versionsCopy.version}</VisuallyHidden>
        {versionsCopy.of(shown, of)}
      </span>
      <IconButton
        size="small"
        label={versionsCopy.later}
        icon={<ChevronRight aria-hidden />}
        disabled={isDisabled || shown >= of}
        onClick={() => onShow(shown + 1)}
      />
    </div>
  );
}
