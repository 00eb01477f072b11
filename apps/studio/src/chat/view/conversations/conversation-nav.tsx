import { Menu } from "@base-ui/react/menu";
import { Download, FileText, Pencil, Trash2 } from "lucide-react";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import type { Conversation } from "throughline/dexie";
import { downloadText } from "../../../panel/download-text.ts";
import { MenuActions } from "../../../ui/action-menu.tsx";
import { useSnapshot } from "../../../ui/use-snapshot.ts";
import styles from "./conversation-nav.module.css";
import { ConversationRow, type RowState } from "./conversation-row.tsx";
import type { ConversationSidebarProps } from "./conversation-sidebar.tsx";
import { groupConversations } from "./group-conversations.ts";
import { NewChatButtons } from "./new-chat-buttons.tsx";
import { RemovedConversations } from "./removed-conversations.tsx";
import { openHit, SearchField, SearchResults, useSearch } from "./search-chats.tsx";
import { type RowsInHand, useRowsInHand } from "./use-rows-in-hand.ts";

export interface ConversationNavProps extends Pick<ConversationSidebarProps, "studio"> {
  /** The person went somewhere: a drawer may close. */
  readonly onLeave?: () => void;
}

/** New chat, temporary chat, and the conversations by day. */
export function ConversationNav({ studio, onLeave }: ConversationNavProps) {
  const { conversations, room, keeping, removed } = useSnapshot(studio);
  const search = useSearch(studio);
  const { conversationId, isTemporary } = useSnapshot(room);
  const nav = useRef<HTMLElement>(null);
  const [menu] = useState(() => Menu.createHandle<Conversation>());
  const groups = useMemo(() => groupConversations(conversations, Date.now()), [conversations]);
  const order = groups.flatMap((group) => group.conversations.map((one) => one.id));
  const inHand = useRowsInHand({ studio, nav, order, onLeave });
  const tabStopId = order.includes(conversationId) ? conversationId : order[0];
  return (
    <nav ref={nav} className={styles.nav} aria-label="Conversations" onKeyDown={moveWithArrows}>
      <NewChatButtons isTemporary={isTemporary} onNew={(options) => inHand.go(studio.newChat(options))} />
      <SearchField search={search} />
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
                  isCurrent={!isTemporary && one.id === conversationId}
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
        {groups.length === 0 && search.hits === undefined && <p className={styles.none}>No conversations yet.</p>}
      </div>
      {keeping.where === "tab" && <p className={styles.keeping}>Saved only until you close this tab.</p>}
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
              { label: "Rename", icon: <Pencil aria-hidden />, keys: "F2", onSelect: action(one.id, "renaming") },
              {
                label: "Export as Markdown",
                icon: <FileText aria-hidden />,
                onSelect: () => inHand.go(save(one.id, "markdown")(), { isStaying: true }),
              },
              {
                label: "Export as JSON",
                icon: <Download aria-hidden />,
                onSelect: () => inHand.go(save(one.id, "json")(), { isStaying: true }),
              },
              {
                label: "Delete",
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
