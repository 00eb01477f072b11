import { Menu } from "@base-ui/react/menu";
import { CircleDashed, Download, FileText, Pencil, SquarePen, Trash2 } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { Conversation } from "throughline/dexie";
import type { PendingRemoval } from "../../../app/pending-removals.ts";
import type { SearchHit } from "../../../app/search-conversations.ts";
import type { Studio } from "../../../app/studio.ts";
import { frameCopy } from "../../../copy/frame.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { SearchField } from "../../../ui/controls/search-field.tsx";
import { downloadText } from "../../../ui/download-text.ts";
import { MenuActions } from "../../../ui/overlays/action-menu.tsx";
import { useSnapshot } from "../../../ui/use-snapshot.ts";
import styles from "./conversation-nav.module.css";
import { ConversationRow, type RowState } from "./conversation-row.tsx";
import type { ConversationSidebarProps } from "./conversation-sidebar.tsx";
import { groupConversations } from "./group-conversations.ts";
import { type RowActions, useRowActions } from "./use-row-actions.ts";

interface ConversationNavProps extends Pick<ConversationSidebarProps, "studio"> {
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
  const rowActions = useRowActions({ studio, nav, order, onLeave });
  const tabStopId = order.includes(conversationId) ? conversationId : order[0];
  return (
    <nav ref={nav} className={styles.nav} aria-label={frameCopy.conversations} onKeyDown={moveWithArrows}>
      <div className={styles.actions}>
        <SidebarButton
          icon={<SquarePen aria-hidden />}
          label={frameCopy.newChat}
          onClick={() => rowActions.go(studio.newChat())}
        />
        <SidebarButton
          icon={<CircleDashed aria-hidden />}
          label={frameCopy.temporaryChat}
          isCurrent={isShown && isTemporary}
          onClick={() => rowActions.go(studio.newChat({ isTemporary: true }))}
        />
        {conversations.length > 0 && (
          <SearchField label={frameCopy.searchChats} value={search.query} onChange={search.setQuery} />
        )}
      </div>
      <RemovedConversations removed={removed} onUndo={(id) => rowActions.go(studio.undoRemove(id))} />
      <div className={styles.list}>
        <SearchResults search={search} onOpen={(hit) => rowActions.go(openHit(studio, hit))} />
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
                  state={rowActions.stateOf(one.id)}
                  onOpen={() => rowActions.go(studio.open(one.id))}
                  onState={(state) => rowActions.setState(one.id, state)}
                  onRename={(title) => rowActions.rename(one.id, title)}
                  onErase={(options) => rowActions.erase(one, options)}
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
      <RowMenu menu={menu} rowActions={rowActions} studio={studio} />
    </nav>
  );
}

interface RowMenuProps extends Pick<ConversationNavProps, "studio"> {
  readonly menu: Menu.Handle<Conversation>;
  readonly rowActions: RowActions;
}

/** One menu for all rows. */
function RowMenu({ menu, rowActions, studio }: RowMenuProps) {
  const action = (id: string, state: RowState) => () => rowActions.setState(id, state);
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
                onSelect: () => rowActions.go(save(one.id, "markdown")(), { isStaying: true }),
              },
              {
                label: frameCopy.row.exportJson,
                icon: <Download aria-hidden />,
                onSelect: () => rowActions.go(save(one.id, "json")(), { isStaying: true }),
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

interface SidebarButtonProps {
  readonly icon: ReactNode;
  readonly label: string;
  readonly isCurrent?: boolean;
  readonly onClick: () => void;
}

/** A place or an action of the sidebar. */
export function SidebarButton({ icon, label, isCurrent = false, onClick }: SidebarButtonProps) {
  return (
    <button
      type="button"
      className={classNames(styles.button, isCurrent && styles.current)}
      aria-current={isCurrent ? "page" : undefined}
      onClick={onClick}
    >
      {icon} {label}
    </button>
  );
}

interface RemovedConversationsProps {
  readonly removed: readonly PendingRemoval[];
  readonly onUndo: (conversationId: string) => void;
}

const { row: copy } = frameCopy;

/** Conversations that were just deleted, each with an undo. */
function RemovedConversations({ removed, onUndo }: RemovedConversationsProps) {
  return removed.map(({ conversationId, title }) => (
    <p key={conversationId} className={styles.removed}>
      <span className={styles.gone}>
        {copy.gone} “<bdi>{title}</bdi>”
      </span>
      <Button kind="link" aria-label={copy.undoDelete(title)} onClick={() => onUndo(conversationId)}>
        {copy.undo}
      </Button>
    </p>
  ));
}

/** Time after the last key before it is searched, in milliseconds. */
const PAUSE = 150;

interface ChatSearch {
  readonly query: string;
  readonly setQuery: (query: string) => void;
  /** Search results; `undefined` if the query is empty. */
  readonly hits: readonly SearchHit[] | undefined;
}

/** Searches conversations while the person types. */
function useSearch(studio: Pick<Studio, "search">): ChatSearch {
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<{ readonly query: string; readonly hits: readonly SearchHit[] }>();
  useEffect(() => {
    if (query.trim() === "") return;
    let isStale = false;
    const timer = setTimeout(async () => {
      const hits = await studio.search(query);
      if (!isStale) setFound({ query, hits });
    }, PAUSE);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [studio, query]);
  return { query, setQuery, hits: query.trim() === "" ? undefined : (found?.hits ?? []) };
}

interface SearchResultsProps {
  readonly search: ChatSearch;
  readonly onOpen: (hit: SearchHit) => void;
}

function SearchResults({ search: { query, hits }, onOpen }: SearchResultsProps) {
  if (hits === undefined) return null;
  if (hits.length === 0) {
    return (
      <p className={styles.searchChatsNone} role="status">
        {frameCopy.noMatches(query.trim())}
      </p>
    );
  }
  return (
    <ul className={styles.hits} aria-label={frameCopy.searchResults}>
      {hits.map((hit) => (
        <li key={hit.conversationId}>
          <button type="button" className={styles.hit} onClick={() => onOpen(hit)}>
            <bdi>{hit.title}</bdi>
            {hit.snippet !== undefined && <bdi className={styles.snippet}>{hit.snippet}</bdi>}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Opens a conversation at the message that was found. */
async function openHit(
  studio: Pick<Studio, "open" | "jumpTo">,
  { conversationId, messageId }: SearchHit,
): Promise<void> {
  if (messageId === undefined) await studio.open(conversationId);
  else await studio.jumpTo({ conversationId, messageId });
}
