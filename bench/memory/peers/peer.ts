import type { SaidTurn } from "../recall/conversation.ts";

/** A memory or search package that answers the same questions as ours. */
export interface Peer {
  readonly name: string;
  /** Takes turns in, in the order they were said. What it keeps in files goes into the folder. */
  open(turns: readonly SaidTurn[], folder: string): Promise<OpenPeer>;
}

export interface OpenPeer {
  /** Ids of the turns that fit best, the best first: as many as are wanted, nothing held back. */
  rank(question: string, limit: number): Promise<readonly string[]>;
  /** What it gives of its own accord: its own thresholds hold. */
  recall(question: string, limit: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A package that is not measured, and why. */
export interface Absence {
  readonly name: string;
  readonly reason: string;
}
