import type { CompactionDraft, Prose } from "../plan-compaction.ts";
import { type Entry, isSameEntry, type WindowState } from "../window.ts";
import type { GeneratedSummary } from "./generate-summary.ts";

/**
 * What a model wrote before the compaction was due, or why it wrote nothing. Plain data, stored with the session. It
 * covers the entries from `first` to `last` that a compaction would have replaced at that time. Later messages are not
 * covered: the narrative of the ledger covers them.
 */
export interface ReadyProse {
  /** Round of the compaction that it was written for. */
  readonly round: number;
  readonly first: Entry;
  readonly last: Entry;
  /** Position of the last message that it covers. */
  readonly upTo: number;
  readonly outcome: GeneratedSummary;
}

/** The reason if the model has not answered when the compaction is due. */
export const NOT_READY = "the model's summary was not ready";

/**
 * Keeps the outcome of a summary for the compaction that the draft is of; `undefined` if the draft replaces nothing.
 */
export function readyProse(draft: CompactionDraft, outcome: GeneratedSummary): ReadyProse | undefined {
  const { compacted } = draft.division;
  const [first, last] = [compacted[0], compacted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { round: draft.parts.round, first, last, upTo: draft.upTo, outcome };
}

/** True if a summary was written for the next compaction. Each compaction has one attempt. */
export function isForNextRound(ready: ReadyProse | undefined, { rounds }: Pick<WindowState, "rounds">): boolean {
  return ready?.round === rounds + 1;
}

/** The outcome of the model's work for a compaction, if it covers nothing but messages that the compaction replaces. */
export function proseFor(draft: CompactionDraft, ready: ReadyProse | undefined): Prose | undefined {
  const { compacted } = draft.division;
  const isCompacted = (entry: Entry) => compacted.some((one) => isSameEntry(one, entry));
  const fits = ready !== undefined && isForNextRound(ready, draft.state);
  if (!fits || !isCompacted(ready.first) || !isCompacted(ready.last)) return undefined;
  return { ...ready.outcome, upTo: ready.upTo };
}
