/** Selected facts of a list. */
export interface FactSelection {
  /** Ids of the selected facts. */
  readonly ids: ReadonlySet<string>;
  /** Fact at which a range starts: the last one that was toggled. */
  readonly anchor?: string;
}

/** A selection without facts. Start with it. */
export const NOTHING_SELECTED: FactSelection = { ids: new Set() };

/**
 * Selects a fact, or unselects it if it is selected. Returns a new selection.
 *
 * @param selection Current selection.
 * @param id Id of the fact.
 *
 * @example
 * const selection = toggleFact(NOTHING_SELECTED, id);
 */
export function toggleFact({ ids }: FactSelection, id: string): FactSelection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/**
 * Selects all facts between the last toggled one and this one, as Shift+click does. Returns a new selection.
 *
 * @param selection Current selection. Without an anchor in the list, only the one fact is toggled.
 * @param id Id of the fact at the other end, included.
 * @param shown Ids of the facts in the order of display.
 *
 * @example
 * const selection = extendTo({ ids: new Set(["f1"]), anchor: "f1" }, "f3", ["f1", "f2", "f3"]);
 */
export function extendTo(selection: FactSelection, id: string, shown: readonly string[]): FactSelection {
  const from = selection.anchor === undefined ? -1 : shown.indexOf(selection.anchor);
  const to = shown.indexOf(id);
  if (from < 0 || to < 0) return toggleFact(selection, id);
  const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...selection.ids, ...range]), ...(selection.anchor && { anchor: selection.anchor }) };
}

/**
 * Unselects facts that are no longer shown, e.g. after a filter changed.
 *
 * @param selection Current selection.
 * @param shown Ids of the facts that are shown.
 * @returns the same object if nothing changed.
 *
 * @example
 * const selection = keepShown(
 *   NOTHING_SELECTED,
 *   facts.map((fact) => fact.id),
 * );
 */
export function keepShown(selection: FactSelection, shown: readonly string[]): FactSelection {
  const ids = new Set(shown.filter((id) => selection.ids.has(id)));
  return ids.size === selection.ids.size ? selection : { ...selection, ids };
}
