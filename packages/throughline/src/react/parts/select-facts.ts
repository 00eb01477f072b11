/** What is ticked in a list, and from where a range goes on. */
export interface FactSelection {
  readonly ids: ReadonlySet<string>;
  readonly anchor?: string;
}

export const NOTHING_SELECTED: FactSelection = { ids: new Set() };

/** Ticks or unticks one. */
export function toggleFact({ ids }: FactSelection, id: string): FactSelection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** Ticks all from the last one that was touched to this one, in the order in which they are shown. */
export function extendTo(selection: FactSelection, id: string, shown: readonly string[]): FactSelection {
  const from = selection.anchor === undefined ? -1 : shown.indexOf(selection.anchor);
  const to = shown.indexOf(id);
  if (from < 0 || to < 0) return toggleFact(selection, id);
  const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...selection.ids, ...range]), ...(selection.anchor && { anchor: selection.anchor }) };
}

/** Only those that are still shown. */
export function keepShown(selection: FactSelection, shown: readonly string[]): FactSelection {
  const ids = new Set(shown.filter((id) => selection.ids.has(id)));
  return ids.size === selection.ids.size ? selection : { ...selection, ids };
}
