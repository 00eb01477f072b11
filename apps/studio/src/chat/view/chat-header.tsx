import { Menu } from "@base-ui/react/menu";
import { Ellipsis, Ghost, PanelLeft, Pencil, ScanSearch, Shrink } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { type MenuAction, MenuActions } from "../../ui/action-menu.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { NARROW, useMedia } from "../../ui/use-media.ts";
import type { ChatRoomState } from "../chat-room.ts";
import styles from "./chat-header.module.css";
import { RenameField } from "./rename-field.tsx";
import { VersionSwitch } from "./version-switch.tsx";
import { ContextRing } from "./window/context-ring.tsx";

export interface ChatHeaderProps {
  readonly state: ChatRoomState;
  readonly onRename: (title: string) => void;
  readonly onVersion: (version: number) => void;
  /** Nothing where there is nothing to condense, or no time for it. */
  readonly onCondense: (() => void) | undefined;
  readonly onInspect: () => void;
  readonly onOpenSidebar?: (() => void) | undefined;
  readonly memoryPill?: ReactNode;
  readonly menuActions?: readonly MenuAction[] | undefined;
}

/** The head of a conversation: its title, how full the window is, the memories, and what else can be done. */
export function ChatHeader(props: ChatHeaderProps) {
  const { state, onRename, onVersion, onCondense, onInspect, onOpenSidebar, memoryPill, menuActions = [] } = props;
  const [isRenaming, setRenaming] = useState(false);
  const isNarrow = useMedia(NARROW);
  const title = useRef<HTMLButtonElement>(null);
  const startRename = () => setRenaming(true);
  const endRename = (next: string | undefined) => {
    setRenaming(false);
    if (next !== undefined) onRename(next);
    requestAnimationFrame(() => title.current?.focus());
  };
  const rename = { label: "Rename", icon: <Pencil aria-hidden />, keys: "F2", onSelect: startRename };
  const actions: readonly MenuAction[] = [
    ...(state.isTemporary ? [] : [rename]),
    {
      label: "Condense now",
      icon: <Shrink aria-hidden />,
      isDisabled: onCondense === undefined,
      onSelect: () => onCondense?.(),
    },
    { label: "Inspect last turn", icon: <ScanSearch aria-hidden />, keys: "Ctrl+Shift+D", onSelect: onInspect },
    ...menuActions,
  ];
  return (
    <header className={styles.header}>
      {isNarrow && onOpenSidebar && (
        <IconButton label="Conversations" icon={<PanelLeft aria-hidden />} onClick={onOpenSidebar} />
      )}
      <h1 className={styles.title}>
        {isRenaming && <RenameField title={state.title} onDone={endRename} />}
        {!isRenaming && state.isTemporary && (
          <span className={styles.temporary}>
            <Ghost aria-hidden /> Temporary chat
          </span>
        )}
        {!isRenaming && !state.isTemporary && (
          <button
            ref={title}
            type="button"
            className={styles.name}
            title="Rename (F2)"
            onClick={startRename}
            onKeyDown={(event) => event.key === "F2" && startRename()}
          >
            {state.title}
          </button>
        )}
      </h1>
      <VersionSwitch {...state.version} isDisabled={state.isAnswering} onShow={onVersion} />
      <ContextRing use={state.use} isCondensing={state.isCondensing} onCondense={onCondense} />
      {memoryPill}
      <Menu.Root>
        <Menu.Trigger render={<IconButton label="More" icon={<Ellipsis aria-hidden />} />} />
        <MenuActions actions={actions} />
      </Menu.Root>
    </header>
  );
}
