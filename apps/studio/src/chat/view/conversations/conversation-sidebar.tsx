import { Settings } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { PlaceNav } from "../../../app/shell/place-nav.tsx";
import type { Studio } from "../../../app/studio.ts";
import { frameCopy } from "../../../copy/frame.ts";
import { Mark } from "../../../ui/mark.tsx";
import { NARROW, useMedia } from "../../../ui/use-snapshot.ts";
import { ConversationNav, SidebarButton } from "./conversation-nav.tsx";
import styles from "./conversation-sidebar.module.css";

// Loaded when it is first opened.
const Drawer = lazy(async () => ({ default: (await import("../../../ui/overlays/drawer.tsx")).Drawer }));

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
  /** State of the drawer; on a wide screen the list is always visible. */
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  /** The settings are open instead of a conversation. */
  readonly isInSettings: boolean;
  readonly onSettings: () => void;
  /** Called when a conversation was opened. */
  readonly onChat: () => void;
}

/** Name, conversations and settings: a column, or a drawer on narrow screens. */
export function ConversationSidebar(props: ConversationSidebarProps) {
  const { isOpen, onOpenChange } = props;
  const isNarrow = useMedia(NARROW);
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  if (!isNarrow) {
    return (
      <aside className={styles.column} aria-label={frameCopy.conversations}>
        <p className={styles.brand}>
          <Mark /> {frameCopy.name}
        </p>
        <Places {...props} />
      </aside>
    );
  }
  if (!wasOpen) return null;
  return (
    <Suspense>
      <Drawer side="left" title={frameCopy.name} icon={<Mark />} isOpen={isOpen} onOpenChange={onOpenChange}>
        <Places {...props} />
      </Drawer>
    </Suspense>
  );
}

function Places({ studio, onOpenChange, isInSettings, onSettings, onChat }: ConversationSidebarProps) {
  const leaveFor = (go: () => void) => () => {
    go();
    onOpenChange(false);
  };
  return (
    <>
      <div className={styles.places}>
        <PlaceNav current={isInSettings ? "settings" : "chat"} onLeave={() => onOpenChange(false)} />
      </div>
      <ConversationNav studio={studio} isShown={!isInSettings} onLeave={leaveFor(onChat)} />
      <div className={styles.foot}>
        <SidebarButton
          icon={<Settings aria-hidden />}
          label={frameCopy.settings}
          isCurrent={isInSettings}
          onClick={leaveFor(onSettings)}
        />
      </div>
    </>
  );
}
