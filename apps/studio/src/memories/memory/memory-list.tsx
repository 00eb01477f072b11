import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { messageOf } from "throughline/internal/util";
import { Notifier } from "../../app/notifier.ts";
import { memoriesCopy as copy } from "../../copy/memories.ts";
import { classNames } from "../../ui/class-names.ts";
import { useSnapshot } from "../../ui/use-snapshot.ts";
import pageStyles from "../page.module.css";
import { browseMemories, type ListedMemory, memoryChanges, type Query } from "./memory-api.ts";
import styles from "./memory-list.module.css";
import { MemoryMeta, Skeleton, StateLine } from "./memory-text.tsx";

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

/** Matching memories. Only those on screen are read and rendered. */
export function MemoryList({ query, isFiltered, openId, onOpen }: MemoryListProps) {
  const key = JSON.stringify(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the query
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

const PAGE = 100;

interface Pages {
  /** Undefined until the first page is there. */
  readonly total: number | undefined;
  /** Memories that were read, by their place in the list. */
  readonly items: ReadonlyMap<number, ListedMemory>;
  readonly problem: string | undefined;
}

/** A list of memories that reads only the pages on screen. */
export class MemoryPages extends Notifier<Pages> {
  readonly #query: Query;
  readonly #read: typeof browseMemories;
  #requests = new Map<number, AbortController>();
  #range: readonly [number, number] = [0, 0];

  constructor(query: Query, read = browseMemories) {
    super({ total: undefined, items: new Map(), problem: undefined });
    this.#query = query;
    this.#read = read;
  }

  /** Reads the pages of a range that are missing. Pages that left the screen before they arrived are not read. */
  show(from: number, to: number): void {
    this.#range = [from, to];
    const [first, last] = [Math.floor(from / PAGE), Math.floor(to / PAGE)];
    for (const [page, abort] of this.#requests) {
      if ((page < first || page > last) && !abort.signal.aborted && !this.#has(page)) {
        abort.abort();
        this.#requests.delete(page);
      }
    }
    for (let page = first; page <= last; page += 1) if (!this.#requests.has(page)) void this.#load(page);
  }

  /** Reads the shown pages again. The old items stay until the response arrives. */
  refresh(): void {
    this.close();
    this.show(...this.#range);
  }

  close(): void {
    for (const abort of this.#requests.values()) abort.abort();
    this.#requests = new Map();
  }

  #has(page: number): boolean {
    return this.getSnapshot().items.has(page * PAGE);
  }

  async #load(page: number): Promise<void> {
    const abort = new AbortController();
    this.#requests.set(page, abort);
    try {
      const { total, items } = await this.#read({ ...this.#query, offset: page * PAGE, limit: PAGE }, abort.signal);
      if (abort.signal.aborted) return;
      const known = new Map([...this.getSnapshot().items].filter(([place]) => place < total));
      items.forEach((item, at) => void known.set(page * PAGE + at, item));
      this.set({ total, items: known, problem: undefined });
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#requests.delete(page);
      this.set({ problem: messageOf(error) });
    }
  }
}
