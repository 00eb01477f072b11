import { useCallback, useMemo, useState } from "react";
import { type FactSelection, keepShown, NOTHING_SELECTED } from "throughline/react";

export interface Selecting {
  /** Left out if nothing can be selected. */
  readonly selection: FactSelection | undefined;
  readonly set: (change: (selection: FactSelection) => FactSelection) => void;
  readonly start: () => void;
  readonly stop: () => void;
}

/** The mode in which cards can be ticked, and what is ticked of those that are shown. */
export function useSelecting(shown: readonly string[]): Selecting {
  const [selection, setSelection] = useState<FactSelection>();
  const set = useCallback<Selecting["set"]>(
    (change) => setSelection((before) => change(before ?? NOTHING_SELECTED)),
    [],
  );
  const start = useCallback(() => setSelection(NOTHING_SELECTED), []);
  const stop = useCallback(() => setSelection(undefined), []);
  const kept = useMemo(() => selection && keepShown(selection, shown), [selection, shown]);
  return { selection: kept, set, start, stop };
}
