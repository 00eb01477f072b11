/** One turn of a conversation. */
export interface SaidTurn {
  readonly id: string;
  readonly sessionId: string;
  readonly position: number;
  readonly role: string;
  readonly speaker?: string;
  readonly at?: number;
  readonly text: string;
}

/** A question with the turns that answer it. */
export interface AskedQuestion {
  readonly text: string;
  readonly category: string;
  /** Ids of turns; empty if the conversation has no answer. */
  readonly evidence: readonly string[];
  readonly isAnswerable: boolean;
}

export interface Conversation {
  readonly name: string;
  readonly turns: readonly SaidTurn[];
  readonly questions: readonly AskedQuestion[];
}

export const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
