import { useCallback, useEffect, useRef, useState } from "react";
import { routeHref } from "../app/route.ts";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { classNames } from "../ui/class-names.ts";
import { Button } from "../ui/controls/button.tsx";
import styles from "./conflicts-page.module.css";
import {
  type Contradiction,
  listConflicts,
  memoryChanges,
  type Resolution,
  readMemory,
  resolveConflict,
  undoChangeOf,
  useRequest,
} from "./memory/memory-api.ts";
import { EditText, MemoryMeta, StateLine } from "./memory/memory-text.tsx";
import { useKeys } from "./memory/use-keys.ts";
import pageStyles from "./page.module.css";

/** Open conflicts, each with both memories side by side. One is active and takes the keys. */
export function ConflictsPage({ openId }: { readonly openId: string | undefined }) {
  const [pages, setPages] = useState(1);
  const load = useCallback((signal: AbortSignal) => loadConflicts(pages, signal), [pages]);
  const { value, problem, reload } = useRequest(`conflicts ${pages}`, load);
  const conflicts = value?.items ?? [];
  const openAt = conflicts.findIndex(({ id }) => id === openId);
  const at = Math.max(0, openAt);
  const move = (to: number) => {
    const next = conflicts[to];
    if (next !== undefined) location.replace(routeHref("memories", "conflicts", next.id));
  };
  const [down, up] = [() => move(at + 1), () => move(at - 1)];
  useKeys({ ArrowDown: down, ArrowUp: up });
  return (
    <div className={pageStyles.page}>
      <div className={pageStyles.column}>
        <div className={pageStyles.head}>
          <h2>{copy.conflicts.title}</h2>
          {conflicts.length > 0 && <p className={pageStyles.keys}>{copy.conflicts.keys}</p>}
        </div>
        <p className={pageStyles.soft}>{copy.conflicts.words}</p>
        {value === undefined && <StateLine problem={problem} onRetry={reload} />}
        {value !== undefined && conflicts.length === 0 && <p>{copy.conflicts.empty}</p>}
        <ul className={pageStyles.list}>
          {conflicts.map((conflict, index) => (
            <li key={conflict.id}>
              <Conflict conflict={conflict} isActive={index === at} isNamed={index === openAt} />
            </li>
          ))}
        </ul>
        {value?.hasMore === true && <Button onClick={() => setPages(pages + 1)}>{copy.more}</Button>}
      </div>
    </div>
  );
}

async function loadConflicts(pages: number, signal: AbortSignal) {
  const items: Contradiction[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const found = await listConflicts(cursor, signal);
    items.push(...found.items);
    cursor = found.next_cursor ?? undefined;
    if (cursor === undefined) break;
  }
  return { items, hasMore: cursor !== undefined };
}

interface ConflictProps {
  readonly conflict: Contradiction;
  readonly isActive: boolean;
  /** The contradiction in the address, which the page scrolls to. */
  readonly isNamed: boolean;
}

function Conflict({ conflict, isActive, isNamed }: ConflictProps) {
  const { id, memory_a: a, memory_b: b, reason } = conflict;
  const [isMerging, setMerging] = useState(false);
  const { value, problem, reload } = useRequest(`conflict ${a} ${b}`, (signal) =>
    Promise.all([readMemory(a, signal), readMemory(b, signal)]),
  );
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isNamed) card.current?.scrollIntoView({ block: "nearest" });
  }, [isNamed]);
  const resolve = (resolution: Resolution["resolution"], text?: string) => {
    resolveConflict(id, { resolution, ...(text !== undefined && { text }) }).then(
      () => memoryChanges.report(copy.conflicts.resolved, () => undoChangeOf(id)),
      (error: unknown) => memoryChanges.fail(error),
    );
  };
  const words = copy.conflicts;
  const when = (action: () => void) => (isActive ? action : undefined);
  useKeys({
    "1": when(() => resolve("a_wins")),
    "2": when(() => resolve("b_wins")),
    b: when(() => resolve("both_valid")),
    m: when(() => setMerging(true)),
  });
  return (
    <article ref={card} className={classNames(pageStyles.card, isActive && styles.active)} aria-label={reason}>
      <p className={pageStyles.soft}>{reason}</p>
      {value === undefined && <StateLine problem={problem} onRetry={reload} />}
      <div className={styles.sides}>
        {value?.map((memory, index) => (
          <section key={memory.id} className={styles.side} aria-label={index === 0 ? words.first : words.second}>
            <p className={pageStyles.text} dir="auto">
              <a href={routeHref("memories", memory.id)}>{memory.levels.full}</a>
            </p>
            <MemoryMeta memory={memory} />
            <Button onClick={() => resolve(index === 0 ? "a_wins" : "b_wins")}>
              {index === 0 ? words.keepFirst : words.keepSecond}
            </Button>
          </section>
        ))}
      </div>
      {isMerging ? (
        <EditText
          label={words.mergeLabel}
          text={value?.map(({ levels }) => levels.full).join("\n") ?? ""}
          onCancel={() => setMerging(false)}
          onSave={(text) => resolve("merged", text)}
        />
      ) : (
        <div className={pageStyles.actions}>
          <Button onClick={() => resolve("both_valid")}>{words.keepBoth}</Button>
          <Button onClick={() => setMerging(true)}>{words.merge}</Button>
        </div>
      )}
    </article>
  );
}
