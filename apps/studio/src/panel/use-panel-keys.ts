import { type RefObject, useEffect, useEffectEvent } from "react";
import { panelCopy } from "../copy/panel.ts";
import { announce } from "../ui/announce.ts";
import { tryTo } from "./panel-toast.ts";
import { removeSelected } from "./remove-selected.ts";
import type { PanelState } from "./use-panel-state.ts";
import type { Selecting } from "./use-selecting.ts";

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
