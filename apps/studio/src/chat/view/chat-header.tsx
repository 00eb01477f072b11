import { Menu } from "@base-ui/react/menu";
import { Brain, Ellipsis, PanelLeft, Pencil, ScanSearch, Shrink } from "lucide-react";
import { type ReactNode, useState } from "react";
import { chatCopy } from "../../copy/chat.ts";
import { frameCopy } from "../../copy/frame.ts";
import { showShortcut } from "../../panel/shortcut.ts";
import { type MenuAction, MenuActions } from "../../ui/action-menu.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { NARROW, useMedia } from "../../ui/use-media.ts";
import type { ChatState } from "../chat.ts";
import styles from "./chat-header.module.css";
import { ChatTitle } from "./chat-title.tsx";
import { INSPECT_KEYS } from "./use-chat-keys.ts";
import { VersionSwitch } from "./version-switch.tsx";
import { ContextRing } from "./window/context-ring.tsx";

const { header: copy } = chatCopy;

export interface ChatHeaderProps {
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
  const rename = { label: copy.rename, icon: <Pencil aria-hidden />, keys: "F2", onSelect: () => setRenaming(true) };
  const condense = { label: chatCopy.context.summarize, icon: <Shrink aria-hidden />, onSelect: () => onCondense?.() };
  const memory = {
    label: state.isMemoryOn ? copy.memoryOff : copy.memoryOn,
    icon: <Brain aria-hidden />,
    onSelect: () => props.onSwitchMemory(!state.isMemoryOn),
  };
  const inspect = { label: copy.viewRequest, icon: <ScanSearch aria-hidden />, onSelect: onInspect };
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
        <Menu.Trigger render={<IconButton label={copy.more} icon={<Ellipsis aria-hidden />} />} />
        <MenuActions actions={actions} />
      </Menu.Root>
    </header>
  );
}
