import type { Message } from "throughline";

/** One session, appended turn by turn. */
export interface Round {
  readonly sessionId: string;
  readonly turnSize: number;
  readonly turns: readonly (readonly Message[])[];
}

/** A contestant that stores messages. */
export interface Writer {
  readonly name: string;
  /** Prepares a round without being measured; the returned function appends all turns, each stored before the next. */
  ready(round: Round): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
