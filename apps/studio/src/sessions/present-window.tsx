import { useState } from "react";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import { count, number } from "../inspector/copy.ts";
import report from "../inspector/report-page.module.css";
import { usePages } from "../server/use-pages.ts";
import { Button } from "../ui/button.tsx";
import { VirtualList } from "../ui/virtual-list.tsx";
import { EditProposal } from "./edit-proposal.tsx";
import acts from "./session-acts.module.css";
import type { EditKind, WindowEdits } from "./use-window-edits.ts";
import styles from "./window-panel.module.css";

const ROW_HEIGHT = 64;
const KINDS: readonly EditKind[] = ["pin", "mask", "release"];

interface PresentMessage {
  readonly message_id: string;
  readonly role: string;
  readonly tokens: number;
  readonly text: string;
  readonly is_summary: boolean;
  readonly is_pruned: boolean;
  readonly pinned: readonly string[];
  readonly masked: readonly string[];
}

interface PresentAnswer {
  readonly items: readonly PresentMessage[];
  readonly next_cursor: string | null;
  readonly tokens: number;
  readonly total: number;
}

interface PresentWindowProps {
  readonly sessionId: string;
  readonly turn: number;
  readonly edits: WindowEdits;
}

/** The messages of the next request. Chosen ones are pinned, taken out or brought back. */
export function PresentWindow({ sessionId, turn, edits }: PresentWindowProps) {
  const path = `/sessions/${encodeURIComponent(sessionId)}/window?limit=100`;
  const { items, first, problem, loadMore } = usePages<PresentMessage, PresentAnswer>(path, turn + edits.list.length);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setChosen(chosen.has(id) ? new Set([...chosen].filter((one) => one !== id)) : new Set([...chosen, id]));
  const propose = (kind: EditKind) => edits.propose(kind, [...chosen]);
  if (first === undefined) return <p role="status">{problem ?? copy.loading}</p>;
  return (
    <section className={`${report.box} ${styles.panel}`} aria-label={copy.now.title}>
      <h2>{copy.now.title}</h2>
      <p>{copy.now.sums(number(first.total), number(first.tokens))}</p>
      <div className={acts.buttons} role="toolbar" aria-label={copy.now.toolbar}>
        {KINDS.map((kind) => (
          <Button key={kind} disabled={chosen.size === 0 || edits.isBusy} onClick={() => propose(kind)}>
            {copy.edits.kinds[kind]}
          </Button>
        ))}
        <small aria-live="polite">{copy.now.chosen(chosen.size)}</small>
      </div>
      <EditProposal edits={edits} tokens={sizeOf(edits.proposed?.handles ?? [], items)} />
      <VirtualList
        items={items}
        keyOf={({ message_id }) => message_id}
        height={ROW_HEIGHT}
        label={copy.now.title}
        onEnd={loadMore}
        className={styles.items}
        render={(item) => <Row item={item} isChosen={chosen.has(item.message_id)} onToggle={toggle} />}
      />
    </section>
  );
}

/** Tokens of the messages with these handles. */
function sizeOf(handles: readonly string[], items: readonly PresentMessage[]): number {
  return items.reduce((sum, one) => sum + (handles.includes(`message:${one.message_id}`) ? one.tokens : 0), 0);
}

interface RowProps {
  readonly item: PresentMessage;
  readonly isChosen: boolean;
  readonly onToggle: (id: string) => void;
}

function Row({ item, isChosen, onToggle }: RowProps) {
  const { message_id, role, tokens, text, is_summary } = item;
  const about = [copy.now.roles[role] ?? role, count(tokens, "token"), stateOf(item)].filter(Boolean).join(" · ");
  // A summary is undone, not edited.
  return (
    <label className={`${styles.item} ${acts.choice}`}>
      <input
        type="checkbox"
        checked={isChosen}
        disabled={is_summary || role === "system"}
        onChange={() => onToggle(message_id)}
      />
      <span>
        <small>{about}</small>
        <span dir="auto" className={styles.cut}>
          {text.slice(0, 300)}
        </span>
      </span>
    </label>
  );
}

function stateOf({ is_summary, is_pruned, pinned, masked }: PresentMessage): string | undefined {
  if (is_summary) return copy.now.states.summary;
  if (masked.length > 0) return copy.now.states.masked;
  if (pinned.length > 0) return copy.now.states.pinned;
  return is_pruned ? copy.now.states.pruned : undefined;
}
