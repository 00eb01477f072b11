import { type ReactVirtualizer, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useMemo, useRef, useState } from "react";
import { keepInRange } from "./keep-in-range.ts";
import { guessHeight, type ListRow } from "./list-rows.ts";

const ROWS_BEYOND_THE_SCREEN = 6;
const GAP = 8;

export type MessageVirtualizer = ReactVirtualizer<HTMLDivElement, HTMLDivElement>;

interface MessageVirtualizerOptions {
  readonly rows: readonly ListRow[];
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly editedKey: string | undefined;
  /** Called in the frame in which rows change their size or place. */
  readonly onChange: () => void;
}

/** Puts only those rows into the page that are on screen. */
export function useMessageVirtualizer({ rows, scroller, editedKey, onChange }: MessageVirtualizerOptions) {
  const heldKey = useRef<string>(undefined);
  /** Keeps the row that holds the focus in the page. */
  const holdRow = useCallback((key: string | undefined) => {
    heldKey.current = key;
  }, []);
  const places = useMemo(() => new Map(rows.map((row, index) => [row.key, index])), [rows]);
  const latest = useRef({ places, editedKey });
  latest.current = { places, editedKey };
  const rangeExtractor = useCallback((range: Parameters<typeof keepInRange>[0]) => {
    const kept = [heldKey.current, latest.current.editedKey];
    return keepInRange(
      range,
      kept.map((key) => (key === undefined ? -1 : (latest.current.places.get(key) ?? -1))),
    );
  }, []);
  // The first rows that are made are the last ones: a conversation opens at its end.
  const [initialOffset] = useState(() => rows.reduce((sum, row) => sum + guessHeight(row) + GAP, 0));
  const virtualizer: MessageVirtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => guessHeight(rows[index] as ListRow),
    rangeExtractor,
    onChange,
    initialOffset,
    overscan: ROWS_BEYOND_THE_SCREEN,
    gap: GAP,
    paddingStart: 12,
    paddingEnd: 20,
    directDomUpdates: true,
  });
  return { holdRow, virtualizer, places };
}
