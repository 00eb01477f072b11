import { useMemo } from "react";
import { extendTo, type FactCardActions, toggleFact } from "throughline/react";
import { panelCopy } from "../copy/panel.ts";
import { announce } from "../ui/announce.ts";
import { tryTo } from "./panel-toast.ts";
import { pinFacts } from "./pin-facts.ts";
import type { PanelState } from "./use-panel-state.ts";
import type { Selecting } from "./use-selecting.ts";

/** Actions of the cards: one object for all, stable while the panel is open. */
export function useFactActions(panel: PanelState, setSelecting: Selecting["set"]): FactCardActions {
  const { book, edits, list, composer, shown } = panel;
  return useMemo(() => {
    const focusNeighbor = (id: string) => {
      const at = shown.current.indexOf(id);
      const next = shown.current[at + 1] ?? shown.current[at - 1];
      if (next === undefined) composer.current?.focus();
      else list.current?.focus(next);
    };
    return {
      edit: (fact, mode) => edits.open(fact, mode),
      expand(id) {
        const edit = edits.getSnapshot().get(id);
        if (edit) edits.open(edit.fact, "full");
      },
      write: (id, change) => edits.write(id, change),
      leave: (id) => edits.leave(id),
      takeFocus: (id) => edits.takeFocus(id),
      cancel: (id) => edits.cancel(id),
      async save(id) {
        const savedId = await edits.save(id);
        if (savedId === undefined) return;
        announce(panelCopy.said.saved);
        // The card is a new one. The dialog has taken the focus to itself by the next frame.
        if (savedId !== id) requestAnimationFrame(() => list.current?.focus(savedId));
      },
      pin: (fact) => void pinFacts(book, [fact], !fact.pinned),
      remove(fact) {
        focusNeighbor(fact.id);
        edits.cancel(fact.id);
        void tryTo(() => book.remove([fact.id]));
      },
      select(fact, isRange) {
        setSelecting((selection) =>
          isRange ? extendTo(selection, fact.id, shown.current) : toggleFact(selection, fact.id),
        );
      },
    };
  }, [book, edits, list, composer, shown, setSelecting]);
}
