import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { memoriesCopy as copy } from "../copy/memories.ts";
import { classNames } from "../ui/class-names.ts";
import { useSnapshot } from "../ui/use-snapshot.ts";
import type { ListedMemory, Query } from "./memory-api.ts";
import { memoryChanges } from "./memory-changes.ts";
import styles from "./memory-list.module.css";
import { MemoryPages } from "./memory-pages.ts";
import { MemoryMeta } from "./memory-text.tsx";
import pageStyles from "./page.module.css";
import { Skeleton, StateLine } from "./state-line.tsx";

const ROW = 82;
/** With the reasons of a search. */
const SEARCH_ROW = 102;
const ROWS_BEYOND_THE_SCREEN = 8;

interface MemoryListProps {
  readonly query: Query;
  readonly isFiltered: boolean;
  readonly openId: string | undefined;
  readonly onOpen: (id: string, isMove: boolean) => void;
}

/** Memories that match, of which only those on screen are read and drawn. */
export function MemoryList({ query, isFiltered, openId, onOpen }: MemoryListProps) {
  const key = JSON.stringify(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the query
  const pages = useMemo(() => new MemoryPages(query), [key]);
  const { total, items, problem } = useSnapshot(pages);
  const { version } = useSnapshot(memoryChanges);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of a memory reads again
  useEffect(() => {
    pages.refresh();
    return () => pages.close();
  }, [pages, version]);
  if (total === undefined && problem === undefined) return <Skeleton rows={8} />;
  if (total === undefined) return <StateLine problem={problem} onRetry={() => pages.refresh()} />;
  if (total === 0) return <EmptyList isFiltered={isFiltered} />;
  const hasReasons = query.query !== undefined;
  return (
    <Rows key={key} pages={pages} total={total} items={items} hasReasons={hasReasons} openId={openId} onOpen={onOpen} />
  );
}

interface RowsProps extends Pick<MemoryListProps, "openId" | "onOpen"> {
  readonly pages: MemoryPages;
  readonly total: number;
  readonly items: ReadonlyMap<number, ListedMemory>;
  readonly hasReasons: boolean;
}

function Rows({ pages, total, items, hasReasons, openId, onOpen }: RowsProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => (hasReasons ? SEARCH_ROW : ROW),
    overscan: ROWS_BEYOND_THE_SCREEN,
  });
  const rows = virtualizer.getVirtualItems();
  const [from, to] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0];
  useEffect(() => pages.show(from, to), [pages, from, to]);
  const move = (next: number) => {
    const place = Math.max(0, Math.min(total - 1, next));
    setActive(place);
    virtualizer.scrollToIndex(place);
    const moved = items.get(place);
    if (moved !== undefined) onOpen(moved.memory.id, true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const place = placeAfter(event.key, active, total);
    if (place === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (place === undefined) onOpen(items.get(active)?.memory.id ?? "", false);
    else move(place);
  };
  return (
    <>
      <p className={styles.count}>{[copy.list.count(total), ...(hasReasons ? [copy.search.only] : [])].join(" · ")}</p>
      <div
        ref={scroller}
        className={styles.list}
        role="listbox"
        tabIndex={0}
        aria-label={copy.list.label}
        aria-activedescendant={rows.some(({ index }) => index === active) ? `${id}-${active}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div className={styles.space} style={{ height: virtualizer.getTotalSize() }} role="presentation">
          {rows.map(({ index, start, size }) => {
            const item = items.get(index);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the list names its active option
              <div
                key={index}
                id={`${id}-${index}`}
                role="option"
                aria-selected={item !== undefined && item.memory.id === openId}
                aria-setsize={total}
                aria-posinset={index + 1}
                className={classNames(styles.row, index === active && styles.active)}
                style={{ transform: `translateY(${start}px)`, height: size }}
                onClick={() => {
                  setActive(index);
                  if (item !== undefined) onOpen(item.memory.id, false);
                }}
              >
                {item === undefined ? <Skeleton rows={1} /> : <RowContent item={item} hasReasons={hasReasons} />}
              </div>
            );
          })}
        </div>
      </div>
      <p className={pageStyles.keys}>{copy.list.keys}</p>
    </>
  );
}

/** The place that a key moves to; undefined for other keys. */
function placeAfter(key: string, active: number, total: number): number | undefined {
  const places = new Map([
    ["ArrowDown", active + 1],
    ["ArrowUp", active - 1],
    ["PageDown", active + 10],
    ["PageUp", active - 10],
    ["Home", 0],
    ["End", total - 1],
  ]);
  return places.get(key);
}

function RowContent({
  item: { memory, reasons },
  hasReasons,
}: {
  readonly item: ListedMemory;
  readonly hasReasons: boolean;
}) {
  return (
    <>
      <p className={styles.text} dir="auto">
        {memory.levels.full}
      </p>
      {hasReasons && <p className={styles.reasons}>{reasons.join(" · ")}</p>}
      <MemoryMeta memory={memory} />
    </>
  );
}

function EmptyList({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <p className={pageStyles.soft}>{copy.list.noMatches}</p>;
  return (
    <div className={styles.empty}>
      <p>{copy.list.empty}</p>
      <p className={pageStyles.soft}>{copy.list.emptyHint}</p>
      <p>
        <code>{copy.list.importCommand}</code>
      </p>
    </div>
  );
}
