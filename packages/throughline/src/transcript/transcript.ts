import type { Message } from "../message/message.ts";

export const TRANSCRIPT_FORMATS = [
  "claude-code",
  "codex",
  "opencode",
  "gemini-cli",
  "cline",
  "pi",
  "copilot",
  "openai",
  "anthropic",
  "ai-sdk",
] as const;

export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** Where an agent replaced what came before by a summary. */
export interface TranscriptCompaction {
  /** The index of the first message after it; where the summary is a message, that one. */
  readonly at: number;
  readonly trigger?: string;
  readonly createdAt?: number;
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  /** The agent's own summary, where it can be read. */
  readonly summary?: string;
  readonly summaryMessageId?: string;
  /** The window that the agent went on with, where the transcript says it exactly. */
  readonly window?: readonly Message[];
  readonly line?: number;
}

/** What a transcript says of a session beside its messages. */
export interface SessionMeta {
  readonly title?: string;
  readonly cwd?: string;
  readonly branch?: string;
  /** The version of the agent that wrote it. */
  readonly version?: string;
  readonly startedAt?: number;
  /** The session whose sub-agent this is. */
  readonly parentId?: string;
}

export interface TranscriptSession {
  readonly id: string;
  readonly messages: readonly Message[];
  readonly compactions: readonly TranscriptCompaction[];
  readonly meta: SessionMeta;
}

/** A record that could not be read. */
export interface Skipped {
  /** The line in a file of lines, from 1; the number of the record, from 1, in one JSON document. */
  readonly line: number;
  readonly kind: "broken" | "unknown" | "duplicate";
  readonly text: string;
}

export interface ParsedTranscript {
  readonly format: TranscriptFormat;
  readonly sessions: readonly TranscriptSession[];
  readonly skipped: readonly Skipped[];
  /** Records that are known and hold no message, counted by kind. */
  readonly passedOver: Readonly<Record<string, number>>;
}

/** What a transcript turns out to hold, in the order in which it does. */
export type TranscriptEvent =
  | { readonly type: "format"; readonly format: TranscriptFormat }
  | { readonly type: "session"; readonly id: string; readonly meta: SessionMeta }
  | { readonly type: "message"; readonly sessionId: string; readonly message: Message }
  | { readonly type: "compaction"; readonly sessionId: string; readonly compaction: TranscriptCompaction }
  | { readonly type: "meta"; readonly sessionId: string; readonly meta: SessionMeta }
  | { readonly type: "skipped"; readonly skipped: Skipped }
  | { readonly type: "passed-over"; readonly kind: string };

export type Emit = (event: TranscriptEvent) => void;

/** Where in its file a record stands. */
export interface RecordPlace {
  readonly line: number;
  /** In one JSON document: the names and indices that lead to the record. Empty for a line. */
  readonly path: readonly (string | number)[];
}

/**
 * Reads the records of one format, one after the other. Only `InvalidMessageError` may be thrown: it is a skip. What is
 * held back comes out at the end, which throws nothing. A session is opened for something that was read, never for nothing.
 */
export interface RecordReader {
  push(record: unknown, place: RecordPlace): void;
  end(): void;
}
