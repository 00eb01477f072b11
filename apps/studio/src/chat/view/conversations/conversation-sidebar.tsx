import type { Studio } from "../../../app/studio.ts";
import { Drawer } from "../../../ui/drawer.tsx";
import { NARROW, useMedia } from "../../../ui/use-media.ts";
import { ConversationNav } from "./conversation-nav.tsx";
import styles from "./conversation-sidebar.module.css";

export interface ConversationSidebarProps {
  readonly studio: Pick<
    Studio,
    | "subscribe"
    | "getSnapshot"
    | "open"
    | "newChat"
    | "rename"
    | "remove"
    | "undoRemove"
    | "search"
    | "jumpTo"
    | "exportConversation"
  >;
  /** Whether the drawer is open; on a wide screen the list always stands. */
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** The conversations: a column at the side, or a drawer where there is no room for one. */
export function ConversationSidebar({ studio, isOpen, onOpenChange }: ConversationSidebarProps) {
  const isNarrow = useMedia(NARROW);
  if (!isNarrow) {
    return (
      <aside className={styles.column} aria-label="Conversations">
        <ConversationNav studio={studio} />
      </aside>
    );
  }
  return (
    <Drawer side="left" title="Conversations" isOpen={isOpen} onOpenChange={onOpenChange}>
      <ConversationNav studio={studio} onLeave={() => onOpenChange(false)} />
    </Drawer>
  );
}
