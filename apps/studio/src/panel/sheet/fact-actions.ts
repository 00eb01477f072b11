import { type RefObject, useEffect, useEffectEvent, useMemo } from "react";
import { ThroughlineError } from "throughline";
import type { FactBook, MemoryFact } from "throughline/chat";
import { explainProblem, extendTo, type FactCardActions, toggleFact } from "throughline/react";
import { panelCopy } from "../../copy/panel.ts";
import { announce } from "../../ui/announce.tsx";
import { sayProblem, tryTo } from "../panel-toast.ts";
import type { PanelState, Selecting } from "./use-panel-state.ts";

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
        // The card was created now, and the dialog takes the focus in the next frame.
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

/** Pins or unpins facts one after another, and reports a full list of pins. */
export async function pinFacts(book: FactBook, facts: readonly MemoryFact[], pinned: boolean): Promise<void> {
  try {
    for (const { id } of facts.filter((fact) => fact.pinned !== pinned)) await book.pin(id, pinned);
    announce(pinned ? panelCopy.pin.pinned : panelCopy.pin.unpinned);
  } catch (error) {
    const isFull = ThroughlineError.isInstance(error) && error.code === "invalid-option";
    sayProblem(isFull ? panelCopy.pin.full : explainProblem(error));
  }
}

/** Deletes all that is ticked, in one step that can be undone in one. */
export function removeSelected({ book, edits, list, shown }: PanelState, { selection, set }: Selecting): void {
  if (!selection || selection.ids.size === 0) return;
  const ids = [...selection.ids];
  const next = shown.current.find((id) => !selection.ids.has(id));
  for (const id of ids) edits.cancel(id);
  set(() => ({ ids: new Set() }));
  if (next !== undefined) list.current?.focus(next);
  void tryTo(() => book.remove(ids));
}

/** The keys of the whole panel: undo, composer, help, and those that are for all ticked cards. */
export function usePanelKeys(
  root: RefObject<HTMLElement | null>,
  panel: PanelState,
  selecting: Selecting,
  toggleHelp: () => void,
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || isWriting(event.target)) return;
    const act = findAction(event, panel, selecting, toggleHelp);
    if (!act) return;
    event.preventDefault();
    // The key is used up: the sheet stays open.
    event.stopPropagation();
    act();
  });
  useEffect(() => {
    // The sheet is around all that can have the focus in it, toasts included.
    const sheet = root.current?.parentElement;
    const onKeyDown = (event: KeyboardEvent) => press(event);
    sheet?.addEventListener("keydown", onKeyDown);
    return () => sheet?.removeEventListener("keydown", onKeyDown);
  }, [root]);
}

function findAction(event: KeyboardEvent, panel: PanelState, selecting: Selecting, toggleHelp: () => void) {
  const { selection } = selecting;
  const hasMod = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (hasMod && key === "z" && !event.shiftKey) return () => void undo(panel);
  if (hasMod && key === "a" && selection) return () => selecting.set(() => ({ ids: new Set(panel.shown.current) }));
  if (hasMod) return undefined;
  if (key === "/" && panel.composer.current) return () => panel.composer.current?.focus();
  if (key === "?") return toggleHelp;
  if (!selection) return undefined;
  if (key === "Escape") return selecting.stop;
  if (key === "Delete" || key === "Backspace") return () => removeSelected(panel, selecting);
  return undefined;
}

async function undo({ book, list }: PanelState): Promise<void> {
  const before = new Set(book.getSnapshot().facts.map(({ id }) => id));
  const isUndone = await tryTo(() => book.undoLatest());
  if (!isUndone) {
    if (isUndone === false) announce(panelCopy.said.nothingToUndo);
    return;
  }
  const back = book.getSnapshot().facts.find(({ id }) => !before.has(id));
  if (back) list.current?.focus(back.id);
  announce(panelCopy.said.undone);
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("textarea, select, input:not([type=checkbox])");
}
