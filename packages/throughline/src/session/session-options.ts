import type { Message } from "../message/message.ts";

export interface CompactOptions {
  readonly focus?: string;
  readonly targetTokens?: number;
  readonly keepTokens?: number;
  readonly signal?: AbortSignal;
}

export interface CompactionPreview {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly removed: readonly string[];
  readonly kept: readonly string[];
  readonly summary: string;
  /** What matters and would be in neither summary nor tail. */
  readonly critical: readonly { readonly kind: string; readonly text: string }[];
}

export interface Recalled {
  readonly handle: string;
  readonly messages: readonly Message[];
}
