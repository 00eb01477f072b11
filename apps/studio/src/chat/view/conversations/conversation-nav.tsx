import { Menu } from "@base-ui/react/menu";
import { CircleDashed, Download, FileText, Pencil, SquarePen, Trash2 } from "lucide-react";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import type { Conversation } from "throughline/dexie";
import { frameCopy } from "../../../copy/frame.ts";
import { downloadText } from "../../../panel/download-text.ts";
import { MenuActions } from "../../../ui/action-menu.tsx";
import { SearchField } from "../../../ui/search-field.tsx";
import { useSnapshot } from "../../../ui/use-snapshot.ts";
import styles from "./conversation-nav.module.css";
import { ConversationRow, type RowState } from "./conversation-row.tsx";
import type { ConversationSidebarProps } from "./conversation-sidebar.tsx";
import { groupConversations } from "./group-conversations.ts";
import { RemovedConversations } from "./removed-conversations.tsx";
import { openHit, SearchResults, useSearch } from "./search-chats.tsx";
import { SidebarButton } from "./sidebar-button.tsx";
import { type RowsInHand, useRowsInHand } from "./use-rows-in-hand.ts";

export interface ConversationNavProps extends Pick<ConversationSidebarProps, "studio"> {
  /** The open conversation is on screen, not the settings. */
  readonly isShown: boolean;
  /** The person went somewhere: a drawer may close. */
  readonly onLeave: () => void;
}

/** New chat, temporary chat, search, and the conversations by day. */
export function ConversationNav({ studio, isShown, onLeave }: ConversationNavProps) {
  const { conversations, chat, storage, removed } = useSnapshot(studio);
  const search = useSearch(studio);
  const { conversationId, isTemporary } = useSnapshot(chat);
  const nav = useRef<HTMLElement>(null);
  const [menu] = useState(() => Menu.createHandle<Conversation>());
  const groups = useMemo(() => groupConversations(conversations, Date.now()), [conversations]);
  const order = groups.flatMap((group) => group.conversations.map((one) => one.id));
  const inHand = useRowsInHand({ studio, nav, order, onLeave });
  const tabStopId = order.includes(conversationId) ? conversationId : order[0];
  return (
    <nav ref={nav} className={styles.nav} aria-label={frameCopy.conversations} onKeyDown={moveWithArrows}>
      <div className={styles.actions}>
        <SidebarButton
          icon={<SquarePen aria-hidden />}
          label={frameCopy.newChat}
          onClick={() => inHand.go(studio.newChat())}
        />
        <SidebarButton
          icon={<CircleDashed aria-hidden />}
          label={frameCopy.temporaryChat}
          isCurrent={isShown && isTemporary}
          onClick={() => inHand.go(studio.newChat({ isTemporary: true }))}
        />
        {conversations.length > 0 && (
          <SearchField label={frameCopy.searchChats} value={search.query} onChange={search.setQuery} />
        )}
      </div>
      <RemovedConversations removed={removed} onUndo={(id) => inHand.go(studio.undoRemove(id))} />
      <div className={styles.list}>
        <SearchResults search={search} onOpen={(hit) => inHand.go(openHit(studio, hit))} />
        {(search.hits === undefined ? groups : []).map(({ label, conversations: group }) => (
          <section key={label}>
            <h2 className={styles.day}>{label}</h2>
            <ul className={styles.group}>
              {group.map((one) => (
                <ConversationRow
                  key={one.id}
                  conversation={one}
                  menu={menu}
                  isCurrent={isShown && !isTemporary && one.id === conversationId}
                  isTabStop={one.id === tabStopId}
                  state={inHand.stateOf(one.id)}
                  onOpen={() => inHand.go(studio.open(one.id))}
                  onState={(state) => inHand.setState(one.id, state)}
                  onRename={(title) => inHand.rename(one.id, title)}
                  onErase={(options) => inHand.erase(one, options)}
                />
              ))}
            </ul>
          </section>
        ))}
        {groups.length === 0 && search.hits === undefined && (
          <p className={styles.none} role="status">
            {frameCopy.noConversations}
          </p>
        )}
      </div>
      {storage.where === "tab" && <p className={styles.storage}>{frameCopy.savedUntilClosed}</p>}
      <RowMenu menu={menu} inHand={inHand} studio={studio} />
    </nav>
  );
}

interface RowMenuProps extends Pick<ConversationNavProps, "studio"> {
  readonly menu: Menu.Handle<Conversation>;
  readonly inHand: RowsInHand;
}

/** One menu for all rows. */
function RowMenu({ menu, inHand, studio }: RowMenuProps) {
  const action = (id: string, state: RowState) => () => inHand.setState(id, state);
  const save = (id: string, format: "json" | "markdown") => async () =>
    downloadText(await studio.exportConversation(id, format), format, "chat");
  return (
    <Menu.Root handle={menu}>
      {({ payload: one }) =>
        one && (
          <MenuActions
            actions={[
              {
                label: frameCopy.row.rename,
                icon: <Pencil aria-hidden />,
                keys: "F2",
                onSelect: action(one.id, "renaming"),
              },
              {
                label: frameCopy.row.exportMarkdown,
                icon: <FileText aria-hidden />,
                onSelect: () => inHand.go(save(one.id, "markdown")(), { isStaying: true }),
              },
              {
                label: frameCopy.row.exportJson,
                icon: <Download aria-hidden />,
                onSelect: () => inHand.go(save(one.id, "json")(), { isStaying: true }),
              },
              {
                label: frameCopy.row.delete,
                icon: <Trash2 aria-hidden />,
                keys: "Del",
                isDanger: true,
                onSelect: action(one.id, "erasing"),
              },
            ]}
          />
        )
      }
    </Menu.Root>
  );
}

/** Up and down go from one conversation to the next. */
function moveWithArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLElement)) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-conversation]")];
  const next = rows[rows.indexOf(event.target) + step];
  if (!rows.includes(event.target) || next === undefined) return;
  event.preventDefault();
  next.focus();
}
