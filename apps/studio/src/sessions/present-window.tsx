import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { count, number } from "../copy/inspector.ts";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import report from "../inspector/report-page.module.css";
import { askServer } from "../server/ask-server.ts";
import { usePages, useServer, wordsOf } from "../server/use-server.ts";
import { announce } from "../ui/announce.tsx";
import { Button } from "../ui/controls/button.tsx";
import { VirtualList } from "../ui/virtual-list.tsx";
import acts from "./session-acts.module.css";
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

interface EditProposalProps {
  readonly edits: WindowEdits;
  /** True if a pin restores messages that a compaction replaced. */
  readonly isBringBack?: boolean;
  /** Tokens of the chosen messages, if they are known. */
  readonly tokens?: number;
}

/** The cost of an edit, with the buttons to make it or leave it. */
export function EditProposal({ edits, isBringBack = false, tokens }: EditProposalProps) {
  const { proposed, problem, isBusy, apply, cancel } = edits;
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (proposed !== undefined) confirm.current?.focus();
  }, [proposed]);
  if (problem !== undefined) {
    return (
      <p role="alert" className={acts.problem}>
        {problem}
      </p>
    );
  }
  if (proposed === undefined) return null;
  const { kind, handles, tokens_before, tokens_after, uncached_tokens } = proposed;
  const left = (tokens ?? 0) - (tokens_before - tokens_after);
  const act = isBringBack ? ({ pin: "bringBack", mask: "mask", release: "unpin" } as const)[kind] : kind;
  return (
    <div role="status" className={acts.proposal}>
      <p>
        <strong>{copy.acts.sizes(number(tokens_before), number(tokens_after))}</strong>{" "}
        {kind === "mask" && tokens !== undefined && left > 0 && (
          <>{copy.edits.note(handles.length, number(tokens), number(left))} </>
        )}
        {uncached_tokens === 0 ? copy.edits.cached : copy.acts.cache(number(uncached_tokens))}
      </p>
      <div className={acts.buttons}>
        <Button ref={confirm} kind="primary" disabled={isBusy} onClick={apply}>
          {copy.edits.apply(act, handles.length)}
        </Button>
        <Button disabled={isBusy} onClick={cancel}>
          {copy.edits.cancel}
        </Button>
      </div>
    </div>
  );
}

type EditKind = "pin" | "mask" | "release";

/** An edit of the window, as the server lists it. */
interface WindowEdit {
  readonly id: string;
  readonly kind: EditKind;
  readonly handles: readonly string[];
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly uncached_tokens: number;
  readonly is_undone: boolean;
}

export interface WindowEdits {
  /** Edits of the session, oldest first. */
  readonly list: readonly WindowEdit[];
  /** The edit whose cost is shown, before it is made. */
  readonly proposed: WindowEdit | undefined;
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  /** The newest edit of a message; `undefined` if there is none. */
  readonly kindOf: (messageId: string) => EditKind | undefined;
  readonly propose: (kind: EditKind, messageIds: readonly string[]) => void;
  readonly apply: () => void;
  readonly cancel: () => void;
  readonly undo: (editId: string) => void;
}

/** Edits of the window of a session by hand: each shows its cost first. */
export function useWindowEdits(sessionId: string | undefined, turn: number, onChange: () => void): WindowEdits {
  const path = sessionId === undefined ? undefined : `/sessions/${encodeURIComponent(sessionId)}/edits`;
  const { data, reload } = useServer<{ readonly items: readonly WindowEdit[] }>(path, turn);
  const [proposed, setProposed] = useState<WindowEdit>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const list = data?.items;
  const kinds = useMemo(() => newestKinds(list ?? []), [list]);
  /** Has the focus again after the edit. */
  const origin = useRef<Element>(null);
  const leave = () => {
    setProposed(undefined);
    if (origin.current instanceof HTMLElement) origin.current.focus();
  };
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    await work()
      .catch((error: unknown) => setProblem(wordsOf(error)))
      .finally(() => setBusy(false));
  };
  const send = (body: object) => askServer<WindowEdit>(path ?? "", { method: "POST", body });
  const done = (words: string) => {
    leave();
    announce(words);
    reload();
    onChange();
  };
  return {
    list: list ?? [],
    proposed,
    problem,
    isBusy,
    kindOf: useCallback((id) => kinds.get(id), [kinds]),
    propose: (kind, messageIds) =>
      void run(async () => {
        origin.current = document.activeElement;
        const handles = messageIds.map((id) => `message:${id}`);
        setProposed(await send({ kind, handles, dry_run: true }));
      }),
    apply: () =>
      void run(async () => {
        if (proposed === undefined) return;
        const { kind, handles } = proposed;
        await send({ kind, handles });
        done(copy.edits.done[kind]);
      }),
    cancel: () => {
      leave();
      setProblem(undefined);
    },
    undo: (edit_id) =>
      void run(async () => {
        await askServer(`${path}/undo`, { method: "POST", body: { edit_id } });
        done(copy.edits.undone);
      }),
  };
}

function newestKinds(edits: readonly WindowEdit[]): ReadonlyMap<string, EditKind> {
  return new Map(
    edits
      .filter(({ is_undone }) => !is_undone)
      .flatMap(({ handles, kind }) => handles.map((handle) => [handle.slice("message:".length), kind] as const)),
  );
}
