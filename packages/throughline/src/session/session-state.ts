import { EMPTY_LEDGER, type Ledger } from "../ledger/ledger.ts";
import { reduceLedgerYielding } from "../ledger/reduce-ledger.ts";
import type { Message } from "../message/message.ts";
import type { ToolResultPart } from "../message/part.ts";
import type { StoredCompaction } from "../ports/store.ts";
import type { ReportedUsage } from "../receipt/receipt.ts";
import type { Calibration } from "../tokens/calibration.ts";

/** A place in the window: a message, or a compaction that stands for several places. */
export type Entry = { readonly message: string } | { readonly event: string };

/**
 * What a session is beside its history: plain data, replaced as a whole. It need not be stored with each message: what
 * was appended since is taken in again when it is read.
 */
export interface SessionState {
  readonly version: 1;
  readonly entries: readonly Entry[];
  /** Results whose outputs are masked in the window, by part id. */
  readonly masks: Readonly<Record<string, ToolResultPart>>;
  readonly ledger: Ledger;
  /** How many messages it has taken in. */
  readonly appended: number;
  /** How many there were at the last compaction: none runs twice without new content. */
  readonly appendedAtCompaction: number;
  readonly rounds: number;
  readonly calibration: Calibration;
  /** What providers reported for the latest turns, by the ids of their receipts. */
  readonly usages?: Readonly<Record<string, ReportedUsage>>;
  /** Tokens that a model takes in all, by its id, where it said that they are fewer than was thought. */
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

/** The state with what was appended since. Other tasks get the thread between messages. */
export async function takeIn(state: SessionState, messages: readonly Message[]): Promise<SessionState> {
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

/** A message that left the window, and its size. */
export interface LeftOut {
  readonly messageId: string;
  readonly tokens: number;
}

/** What a compaction is beside the columns that a store knows: enough to undo it. */
interface CompactionDetail {
  /** Why there is no prose by the model, where there is none. */
  readonly withoutProse?: string;
  /** The messages that stand in the window in its place. */
  readonly standIns: readonly Message[];
  /** The window up to the tail as it was before, those that stay among them. */
  readonly replaced: readonly Entry[];
  /** How many entries behind it in the window stay from there. */
  readonly keptAfter: number;
  readonly masksBefore: Readonly<Record<string, ToolResultPart>>;
  /** The newest of what it replaced. */
  readonly newest: readonly LeftOut[];
}

/** One compaction: what it replaced and by what. Undone, the window is what it was. */
export interface CompactionEvent extends CompactionDetail {
  readonly id: string;
  readonly sessionId: string;
  readonly round: number;
  readonly createdAt: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** The text that stands for the messages, ledger included. */
  readonly summary: string;
  /** The messages that left the window with it, without those of earlier compactions. */
  readonly compactedMessageIds: readonly string[];
}

/** A compaction in the list of all that ever were. */
export interface ListedCompaction extends CompactionEvent {
  /** It does not stand in the window any more, nor below another one. */
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
