import { tryTo } from "./panel-toast.ts";
import type { PanelState } from "./use-panel-state.ts";
import type { Selecting } from "./use-selecting.ts";

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
