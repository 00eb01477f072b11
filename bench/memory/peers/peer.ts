import type { SaidTurn } from "../recall/conversation.ts";

/** A memory or search package that answers the same questions. */
export interface Peer {
  /** Ingests turns in order. Files go into the folder. */
  open(turns: readonly SaidTurn[], folder: string): Promise<OpenPeer>;
  /** Opens what is in the folder after {@link OpenPeer.close}. Undefined if the package keeps nothing in files. */
  reopen?(folder: string): Promise<OpenPeer>;
}

export interface OpenPeer {
  /** Ids of the best matches, best first: as many as requested, without a threshold. */
  rank(question: string, limit: number): Promise<readonly string[]>;
  /** Results with its own thresholds. */
  recall(question: string, limit: number): Promise<readonly string[]>;
  /** Writes to the folder what is not there yet. */
  close(): Promise<void>;
}

/** A package that is not measured, and the reason. */
export interface Absence {
  readonly name: string;
  readonly reason: string;
}
