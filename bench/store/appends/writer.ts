import type { Message } from "throughline";

/** One session, appended turn by turn. */
export interface Round {
  readonly sessionId: string;
  readonly turnSize: number;
  readonly turns: readonly (readonly Message[])[];
}

/** Something that keeps messages. */
export interface Writer {
  readonly name: string;
  /** Does what is not measured; what comes back appends all turns, each kept before the next begins. */
  ready(round: Round): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
