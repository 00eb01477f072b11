import type { PlannedCompaction } from "../../compact/plan-compaction.ts";
import { type CompactionDetail, type CompactionEvent, isSameEntry, type WindowState } from "../../compact/window.ts";
import { EMPTY_LEDGER, type Ledger } from "../../ledger/ledger.ts";
import { upgradeLedger } from "../../ledger/serialize-ledger.ts";
import type { Message } from "../../message/message.ts";
import type { ToolResultPart } from "../../message/part.ts";
import type { StoredCompaction } from "../../ports/store.ts";
import type { ReceiptDraft, ReportedUsage } from "../../receipt/receipt.ts";
import type { Calibration } from "../../tokens/calibration.ts";
import type { ReadyProse, SummaryMeter, SummaryUsage } from "../background-summary.ts";
import type { SessionEvents } from "../session-events.ts";

/**
 * State of a session, without its messages. Plain data, replaced as a whole. The state need not be stored with each
 * append: messages appended since then are added when it is loaded.
 */
export interface SessionState extends WindowState {
  readonly version: 1;
  readonly calibration: Calibration;
  /** A compaction of a chat was undone: none runs until the window no longer fits. */
  readonly isPaused?: boolean;
  /** Usage that providers reported for the latest turns, by receipt id. */
  readonly usages?: Readonly<Record<string, ReportedUsage>>;
  /** Context limits by model id, if the provider reported a smaller one than expected. */
  readonly limits?: Readonly<Record<string, number>>;
  /** The summary that a model wrote for the next compaction. */
  readonly prose?: ReadyProse | undefined;
  /** Use of the model for summaries so far. */
  readonly summaries?: SummaryUsage;
}

export const EMPTY_STATE: SessionState = {
  version: 1,
  entries: [],
  masks: {},
  ledger: EMPTY_LEDGER,
  appended: 0,
  appendedAtCompaction: -1,
  rounds: 0,
  calibration: {},
};

/** A state as it was stored; one of an earlier version is migrated. */
export function readState(stored: unknown): SessionState {
  if (stored === undefined) return EMPTY_STATE;
  const state = stored as SessionState;
  return { ...state, ledger: upgradeLedger(state.ledger) as Ledger };
}

/** A compaction in the list of all compactions of a session. */
export interface ListedCompaction extends CompactionEvent {
  /** True if the compaction was undone: it is neither in the window nor part of another compaction. */
  readonly isUndone: boolean;
}

export function toStored(event: CompactionEvent): StoredCompaction {
  const {
    id,
    round,
    createdAt,
    tokensBefore,
    tokensAfter,
    summary,
    compactedMessageIds,
    sessionId: _,
    ...rest
  } = event;
  const detail: CompactionDetail = rest;
  return { id, round, createdAt, tokensBefore, tokensAfter, summary, compactedMessageIds, detail };
}

/** A stored compaction. Version 0.1 called its summary messages `standIns`. */
export function fromStored({ detail, ...event }: StoredCompaction, sessionId: string): CompactionEvent {
  const { standIns = [], ...own } = detail as CompactionDetail & { readonly standIns?: readonly Message[] };
  return { ...event, ...own, summaryMessages: own.summaryMessages ?? standIns, sessionId };
}

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
  readonly receipt?: ReceiptDraft;
}

/**
 * Makes changes on the stored state, which may be newer than the one they were planned on: newer messages stay behind
 * the tail of a compaction.
 *
 * @returns `undefined` if something before that tail has changed: another process compacted, or undid a compaction.
 */
export function applyChanges(
  current: SessionState,
  { edit, pruned, compaction, meter }: SessionChanges,
): SessionState | undefined {
  let state = edit ? edit(current) : current;
  if (state === undefined) return undefined;
  if (pruned !== undefined) state = { ...state, masks: { ...state.masks, ...pruned.masks } };
  if (compaction !== undefined) {
    const { event, draft } = compaction;
    const { head, before, kept, messages } = draft.division;
    const isUnchanged = before.every((entry, index) => isSameEntry(entry, current.entries[index]));
    if (!isUnchanged || current.rounds + 1 !== event.round) return undefined;
    // The event keeps the masks of the messages that leave the window.
    const compactedPartIds = new Set(messages.compacted.flatMap(({ parts }) => parts.map(({ id }) => id)));
    state = {
      ...state,
      entries: [...head, { event: event.id }, ...kept, ...current.entries.slice(before.length)],
      masks: Object.fromEntries(Object.entries(state.masks).filter(([id]) => !compactedPartIds.has(id))),
      rounds: event.round,
      isPaused: false,
      appendedAtCompaction: current.appended,
      // Prose that was written for this compaction is of no use for the next one.
      prose: undefined,
    };
  }
  return meter?.addTo(state) ?? state;
}
