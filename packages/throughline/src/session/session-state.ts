import { EMPTY_LEDGER, type Ledger } from "../ledger/ledger.ts";
import type { Message } from "../message/message.ts";
import type { ToolResultPart } from "../message/part.ts";
import type { Calibration } from "../tokens/calibration.ts";

/** A place in the window: a message, or a compaction that stands for several places. */
export type Entry = { readonly message: string } | { readonly event: string };

/** What a session is beside its history: plain data, replaced as a whole. */
export interface SessionState {
  readonly version: 1;
  readonly entries: readonly Entry[];
  /** Results whose outputs are masked in the window, by part id. */
  readonly masks: Readonly<Record<string, ToolResultPart>>;
  readonly ledger: Ledger;
  /** How many messages were ever appended. */
  readonly appended: number;
  /** How many there were at the last compaction: none runs twice without new content. */
  readonly appendedAtCompaction: number;
  readonly rounds: number;
  readonly receipts: number;
  readonly calibration: Calibration;
}

export const EMPTY_STATE: SessionState = {
  version: 1,
  entries: [],
  masks: {},
  ledger: EMPTY_LEDGER,
  appended: 0,
  appendedAtCompaction: -1,
  rounds: 0,
  receipts: 0,
  calibration: {},
};

/** One compaction: what it replaced and by what. Undone, the window is what it was. */
export interface CompactionEvent {
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
  /** Why there is no prose by the model, where there is none. */
  readonly withoutProse?: string;
  /** The messages that stand in the window in its place. */
  readonly standIns: readonly Message[];
  /** The window up to the tail as it was before, those that stay among them. */
  readonly replaced: readonly Entry[];
  /** How many entries behind it in the window stay from there. */
  readonly keptAfter: number;
  readonly masksBefore: Readonly<Record<string, ToolResultPart>>;
}
