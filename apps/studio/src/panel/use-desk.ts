import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import type { FactBook } from "throughline/chat";
import { type FactListHandle, keepOpenEdits, type OpenEdits } from "throughline/react";
import { fold, hasAll } from "../app/search-conversations.ts";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { type TabName, tabFacts } from "./memory-tabs.tsx";

/** What the actions of the panel work on. */
export interface Desk {
  readonly book: FactBook;
  readonly edits: OpenEdits;
  readonly list: RefObject<FactListHandle | null>;
  readonly composer: RefObject<HTMLInputElement | null>;
  /** The cards in the order in which they are shown. */
  readonly shown: RefObject<readonly string[]>;
}

/** The facts of a tab as they are shown, and what the actions of the panel work on. */
export function useDesk(book: FactBook, edits: OpenEdits, tab: TabName, query: string) {
  const state = useSnapshot(book);
  const open = useSnapshot(edits);
  const list = useRef<FactListHandle>(null);
  const composer = useRef<HTMLInputElement>(null);
  const shown = useRef<readonly string[]>([]);
  const facts = useMemo(() => {
    const words = fold(query)
      .split(/\s+/u)
      .filter((word) => word !== "");
    return tabFacts(keepOpenEdits(state.facts, open), tab).filter(({ fact }) => hasAll(fact, words));
  }, [state.facts, open, tab, query]);
  const ids = useMemo(() => facts.map(({ id }) => id), [facts]);
  useLayoutEffect(() => {
    shown.current = ids;
  }, [ids]);
  const desk: Desk = { book, edits, list, composer, shown };
  return { desk, facts, ids };
}
