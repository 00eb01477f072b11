import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import { classNames } from "./class-names.ts";
import styles from "./virtual-list.module.css";

interface VirtualListProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string | number;
  readonly render: (item: T, index: number) => ReactNode;
  /** Expected height of a row in pixels. */
  readonly height: number;
  /** Name for screen readers. */
  readonly label: string;
  /** Called when the end comes near. */
  readonly onEnd?: () => void;
  readonly className?: string | undefined;
}

/** A virtual list: only the visible rows are in the page. Arrow keys move between links and buttons of rows. */
export function VirtualList<T>({ items, keyOf, render, height, label, onEnd, className }: VirtualListProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => keyOf(items[index] as T),
    estimateSize: () => height,
    overscan: 8,
  });
  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= items.length - 10) onEnd?.();
  }, [last, items.length, onEnd]);
  return (
    <div ref={scroller} className={classNames(styles.scroller, className)}>
      {/* biome-ignore lint/a11y/useSemanticElements: rows are positioned absolutely */}
      <div role="list" aria-label={label} className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, key, start }) => (
          // biome-ignore lint/a11y/useSemanticElements: rows are positioned absolutely
          <div
            key={key}
            role="listitem"
            aria-posinset={index + 1}
            aria-setsize={items.length}
            data-index={index}
            ref={virtualizer.measureElement}
            className={styles.row}
            style={{ transform: `translateY(${start}px)` }}
          >
            {render(items[index] as T, index)}
          </div>
        ))}
      </div>
    </div>
  );
}
