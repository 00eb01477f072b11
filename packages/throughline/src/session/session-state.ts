import type { ReadyProse } from "../compact/ready-prose.ts";
import type { CompactionDetail, CompactionEvent, WindowState } from "../compact/window.ts";
import { EMPTY_LEDGER, type Ledger } from "../ledger/ledger.ts";
import { upgradeLedger } from "../ledger/upgrade-ledger.ts";
import type { StoredCompaction } from "../ports/store.ts";
import type { ReportedUsage } from "../receipt/receipt.ts";
import type { Calibration } from "../tokens/calibration.ts";
import type { SummaryUsage } from "./summary-meter.ts";

/**
 * State of a session, without its messages. Plain data, replaced as a whole. The state need not be stored with each
 * append: messages appended since then are added when it is loaded.
 */
export interface SessionState extends WindowState {
  readonly version: 1;
  readonly calibration: Calibration;
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

/** A state as it was stored; one of an earlier version is brought up to date. */
export function readState(stored: unknown): SessionState {
  if (stored === undefined) return EMPTY_STATE;
  const state = stored as SessionState;
  return { ...state, ledger: upgradeLedger(state.ledger) as Ledger };
}

/** A compaction in the list of all compactions of a session. */
export interface ListedCompaction extends CompactionEvent {
  /** Whether the compaction was undone: it is neither in the window nor part of another compaction. */
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

export function fromStored({ detail, ...event }: StoredCompaction, sessionId: string): CompactionEvent {
  return { ...event, ...(detail as CompactionDetail), sessionId };
}
