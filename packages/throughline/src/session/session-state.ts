import type { CompactionDetail, CompactionEvent, WindowState } from "../compact/window.ts";
import { EMPTY_LEDGER } from "../ledger/ledger.ts";
import { reduceLedgerYielding } from "../ledger/reduce-ledger.ts";
import type { Message } from "../message/message.ts";
import type { StoredCompaction } from "../ports/store.ts";
import type { ReportedUsage } from "../receipt/receipt.ts";
import type { Calibration } from "../tokens/calibration.ts";

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

/** Adds appended messages to the state and its ledger. Yields to the event loop between messages. */
export async function addMessages(state: SessionState, messages: readonly Message[]): Promise<SessionState> {
  let { ledger } = state;
  for (const message of messages) {
    ledger = await reduceLedgerYielding(ledger, message);
  }
  return {
    ...state,
    entries: [...state.entries, ...messages.map(({ id }) => ({ message: id }))],
    ledger,
    appended: state.appended + messages.length,
  };
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
