import { Menu } from "@base-ui/react/menu";
import { CircleDashed, Pencil, Plus, Trash2 } from "lucide-react";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import type { Conversation } from "throughline/dexie";
import { MenuActions } from "../../../ui/action-menu.tsx";
import { announce } from "../../../ui/announce.ts";
import { classNames } from "../../../ui/class-names.ts";
import { useSnapshot } from "../../../ui/use-snapshot.ts";
import styles from "./conversation-nav.module.css";
import { ConversationRow, type RowState } from "./conversation-row.tsx";
import type { ConversationSidebarProps } from "./conversation-sidebar.tsx";
import { groupConversations } from "./group-conversations.ts";

export interface ConversationNavProps extends Pick<ConversationSidebarProps, "studio"> {
  /** The person went somewhere: a drawer may close. */
  readonly onLeave?: () => void;
}

/** New chat, temporary chat, and the conversations by day. */
export function ConversationNav({ studio, onLeave }: ConversationNavProps) {
  const { conversations, room, keeping } = useSnapshot(studio);
  const { conversationId, isTemporary } = useSnapshot(room);
  const [busy, setBusy] = useState<{ readonly id: string; readonly state: RowState }>();
  const nav = useRef<HTMLElement>(null);
  const [menu] = useState(() => Menu.createHandle<Conversation>());
  const groups = useMemo(() => groupConversations(conversations, Date.now()), [conversations]);
  const tabStopId = conversations.some((one) => one.id === conversationId)
    ? conversationId
    : groups[0]?.conversations[0]?.id;

  const go = (going: Promise<void>) => void going.then(() => onLeave?.(), reportProblem);
  const focusRow = (id: string | undefined) => {
    const rows = [...(nav.current?.querySelectorAll<HTMLElement>("[data-conversation]") ?? [])];
    const wanted = rows.find((row) => row.dataset.conversation === id) ?? nav.current?.querySelector("button");
    wanted?.focus();
  };
  const finish = (id: string | undefined) => {
    setBusy(undefined);
    requestAnimationFrame(() => focusRow(id));
  };
  const erase = ({ id, title }: Conversation, options: { readonly alsoMemories: boolean }) => {
    const ids = groups.flatMap((group) => group.conversations.map((one) => one.id));
    const place = ids.indexOf(id);
    studio.remove(id, options).then(() => announce(`“${title}” is erased.`), reportProblem);
    finish(ids[place + 1] ?? ids[place - 1]);
  };
  return (
    <nav ref={nav} className={styles.nav} aria-label="Conversations" onKeyDown={moveWithArrows}>
      <div className={styles.top}>
        <button type="button" className={styles.action} onClick={() => go(studio.newChat())}>
          <Plus aria-hidden /> New chat
        </button>
        <button
          type="button"
          className={classNames(styles.action, isTemporary && styles.current)}
          aria-current={isTemporary ? "page" : undefined}
          onClick={() => go(studio.newChat({ isTemporary: true }))}
        >
          <CircleDashed aria-hidden /> Temporary
        </button>
      </div>
      <div className={styles.list}>
        {groups.map(({ label, conversations: group }) => (
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
                  state={busy?.id === one.id ? busy.state : "shown"}
                  onOpen={() => go(studio.open(one.id))}
                  onState={(state) => (state === "shown" ? finish(one.id) : setBusy({ id: one.id, state }))}
                  onRename={(title) => void studio.rename(one.id, title).catch(reportProblem)}
                  onErase={(options) => erase(one, options)}
                />
              ))}
            </ul>
          </section>
        ))}
        {groups.length === 0 && <p className={styles.none}>No conversations yet.</p>}
      </div>
      {keeping.where === "tab" && <p className={styles.keeping}>Kept only until this tab is closed. {keeping.why}</p>}
      <Menu.Root handle={menu}>
        {({ payload: one }) =>
          one && (
            <MenuActions
              actions={[
                {
                  label: "Rename",
                  icon: <Pencil aria-hidden />,
                  keys: "F2",
                  onSelect: () => setBusy({ id: one.id, state: "renaming" }),
                },
                {
                  label: "Delete",
                  icon: <Trash2 aria-hidden />,
                  keys: "Del",
                  isDanger: true,
                  onSelect: () => setBusy({ id: one.id, state: "erasing" }),
                },
              ]}
            />
          )
        }
      </Menu.Root>
    </nav>
  );
}

function reportProblem(error: unknown): void {
  announce(error instanceof Error ? error.message : String(error));
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
