import { isSameEntry } from "../compact/window.ts";
import type { Change } from "./session-repository.ts";
import type { SessionState } from "./session-state.ts";
import type { SessionChanges } from "./turn-state.ts";

/**
 * Makes changes on the stored state, which may be newer than the one they were planned on: newer messages stay behind the
 * tail of a compaction.
 *
 * @returns `undefined` if something before that tail has changed: another process compacted, or undid a compaction.
 */
export function applyChanges(
  { pruned, compaction, meter, receipt }: SessionChanges,
  current: SessionState,
): Change | undefined {
  let state = pruned ? { ...current, masks: { ...current.masks, ...pruned.masks } } : current;
  if (compaction !== undefined) {
    const { event, draft } = compaction;
    const { head, before, kept, messages } = draft.division;
    const isUnchanged = before.every((entry, index) => isSameEntry(entry, current.entries[index]));
    if (!isUnchanged || current.rounds + 1 !== event.round) return undefined;
    // The event keeps the masks of the messages that leave the window.
    const gone = new Set(messages.replaced.flatMap(({ parts }) => parts.map(({ id }) => id)));
    state = {
      ...state,
      entries: [...head, { event: event.id }, ...kept, ...current.entries.slice(before.length)],
      masks: Object.fromEntries(Object.entries(state.masks).filter(([id]) => !gone.has(id))),
      rounds: event.round,
      appendedAtCompaction: current.appended,
      // Prose that was written for this compaction is of no use for the next one.
      prose: undefined,
    };
  }
  return { state: meter?.addTo(state) ?? state, event: compaction?.event, marks: pruned?.marks, receipt };
}
