import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import type { FactBook } from "throughline/chat";
import { type FactListHandle, keepOpenEdits, type OpenEdits, showFact } from "throughline/react";
import { fold, hasAll } from "../app/search-conversations.ts";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { type TabName, tabFacts } from "./memory-tabs.tsx";

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
