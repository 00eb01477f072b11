import type { Division } from "./divide-window.ts";
import { type CompactionEvent, type Entry, isSameEntry, type WindowSources, type WindowState } from "./window.ts";

/** A compaction with the entries that it replaces. */
interface DividedCompaction {
  readonly event: CompactionEvent;
  readonly division: Division;
}

/**
 * Applies a planned compaction. The state may have changed since, as long as everything before the tail is the same:
 * newer messages stay behind the tail.
 *
 * @returns `undefined` if the plan no longer matches the state.
 */
export function applyCompaction<S extends WindowState>(
  { event, division }: DividedCompaction,
  state: S,
  messages: WindowSources["messages"],
): S | undefined {
  const { head, before, kept } = division;
  const isUnchanged = before.every((entry, index) => isSameEntry(entry, state.entries[index]));
  if (!isUnchanged || state.rounds + 1 !== event.round) return undefined;
  const entries: Entry[] = [...head, { event: event.id }, ...kept, ...state.entries.slice(before.length)];
  return {
    ...state,
    entries,
    masks: masksIn(entries, state, messages),
    rounds: event.round,
    appendedAtCompaction: state.appended,
  };
}

/** Masks of messages that are still in the window. The event keeps the others. */
function masksIn(
  entries: readonly Entry[],
  { masks }: WindowState,
  messages: WindowSources["messages"],
): WindowState["masks"] {
  const parts = entries.flatMap((entry) => ("message" in entry ? (messages.get(entry.message)?.parts ?? []) : []));
  const inWindow = new Set(parts.map(({ id }) => id));
  return Object.fromEntries(Object.entries(masks).filter(([id]) => inWindow.has(id)));
}
