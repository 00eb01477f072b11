import type { PlannedCompaction } from "../compact/plan-compaction.ts";
import { type CompactionEvent, isSameEntry } from "../compact/window.ts";
import type { ToolResultPart } from "../message/part.ts";
import type { Commit } from "../ports/store.ts";
import type { Receipt } from "../receipt/receipt.ts";
import type { SessionEvents } from "./session-events.ts";
import type { SessionState } from "./session-state.ts";
import type { SummaryMeter } from "./summary-meter.ts";

/** Changes to a session that are not stored yet. */
export interface SessionChanges {
  /** Changes the state in another way than those below; `undefined` if the change does not apply to it. */
  readonly edit?: (state: SessionState) => SessionState | undefined;
  /** Tool outputs that were masked. */
  readonly pruned?: {
    /** Masked results by part id, and the time of the masking. */
    readonly masks: Readonly<Record<string, ToolResultPart>>;
    readonly marks: ReadonlyMap<string, number>;
    readonly report: SessionEvents["prune:complete"];
  };
  readonly compaction?: PlannedCompaction;
  /** The model that wrote the summary. */
  readonly meter?: SummaryMeter;
  /** The receipt of a turn. It gets its number when it is stored. */
  readonly receipt?: Omit<Receipt, "id">;
}

/** Changes as they are written, in one transaction. */
export interface Change {
  readonly state: SessionState;
  readonly event: CompactionEvent | undefined;
  readonly marks: Commit["marks"] | undefined;
  readonly receipt: Omit<Receipt, "id"> | undefined;
}

/**
 * Makes changes on the stored state, which may be newer than the one they were planned on: newer messages stay behind the
 * tail of a compaction.
 *
 * @returns `undefined` if something before that tail has changed: another process compacted, or undid a compaction.
 */
export function applyChanges(
  { edit, pruned, compaction, meter, receipt }: SessionChanges,
  current: SessionState,
): Change | undefined {
  let state = edit ? edit(current) : current;
  if (state === undefined) return undefined;
  if (pruned !== undefined) state = { ...state, masks: { ...state.masks, ...pruned.masks } };
  if (compaction !== undefined) {
    const { event, draft } = compaction;
    const { head, before, kept, messages } = draft.division;
    const isUnchanged = before.every((entry, index) => isSameEntry(entry, current.entries[index]));
    if (!isUnchanged || current.rounds + 1 !== event.round) return undefined;
    // The event keeps the masks of the messages that leave the window.
    const gone = new Set(messages.compacted.flatMap(({ parts }) => parts.map(({ id }) => id)));
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
