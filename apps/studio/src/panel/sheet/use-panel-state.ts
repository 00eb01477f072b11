import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { FactBook } from "throughline/chat";
import {
  type FactListHandle,
  type FactSelection,
  keepOpenEdits,
  keepShown,
  NOTHING_SELECTED,
  type OpenEdits,
  showFact,
} from "throughline/react";
import { fold, hasAll } from "../../app/search-conversations.ts";
import { useSnapshot } from "../../ui/use-snapshot.ts";
import { type TabName, tabFacts } from "../cards/memory-tabs.tsx";

/** State that the actions of the panel work on. */
export interface PanelState {
  readonly book: FactBook;
  readonly edits: OpenEdits;
  readonly list: RefObject<FactListHandle | null>;
  readonly composer: RefObject<HTMLInputElement | null>;
  /** The cards in the order in which they are shown. */
  readonly shown: RefObject<readonly string[]>;
}

/**
 * The facts with the searched words, those of a tab in their order, and the state that the actions of the panel work
 * on.
 */
export function usePanelState(book: FactBook, edits: OpenEdits, tab: TabName, query: string) {
  const state = useSnapshot(book);
  const open = useSnapshot(edits);
  const list = useRef<FactListHandle>(null);
  const composer = useRef<HTMLInputElement>(null);
  const shown = useRef<readonly string[]>([]);
  const found = useMemo(() => {
    const words = fold(query)
      .split(/\s+/u)
      .filter((word) => word !== "");
    return keepOpenEdits(state.facts, open).filter(({ fact }) => hasAll(`${fact}\n${showFact(fact)}`, words));
  }, [state.facts, open, query]);
  const facts = useMemo(() => tabFacts(found, tab), [found, tab]);
  const ids = useMemo(() => facts.map(({ id }) => id), [facts]);
  useLayoutEffect(() => {
    shown.current = ids;
  }, [ids]);
  const panel: PanelState = { book, edits, list, composer, shown };
  return { panel, found, facts, ids };
}

export interface Selecting {
  /** Left out if nothing can be selected. */
  readonly selection: FactSelection | undefined;
  readonly set: (change: (selection: FactSelection) => FactSelection) => void;
  readonly start: () => void;
  readonly stop: () => void;
}

/** Selection mode, and the selected cards among those shown. */
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
