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

/** A compaction that an agent recorded. */
export interface TranscriptCompaction {
  /** Index of the first message after it, or of the summary if that is a message. */
  readonly at: number;
  readonly trigger?: string;
  readonly createdAt?: number;
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  /** Summary of the agent, if it is readable. */
  readonly summary?: string;
  readonly summaryMessageId?: string;
  /** Window after the compaction, if the transcript contains it. */
  readonly window?: readonly Message[];
  readonly line?: number;
}

/** Metadata of a session. */
export interface SessionMeta {
  readonly title?: string;
  readonly cwd?: string;
  readonly branch?: string;
  /** Version of the agent that wrote the transcript. */
  readonly version?: string;
  readonly startedAt?: number;
  /** Id of the parent session, for a sub-agent. */
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
  /** Line number from 1; in a JSON document the number of the record, from 1. */
  readonly line: number;
  readonly kind: "broken" | "unknown" | "duplicate";
  readonly text: string;
}

export interface ParsedTranscript {
  readonly format: TranscriptFormat;
  readonly sessions: readonly TranscriptSession[];
  readonly skipped: readonly Skipped[];
  /** Known records without messages, counted by type. */
  readonly ignored: Readonly<Record<string, number>>;
}

/** Content of a transcript, in order. */
export type TranscriptEvent =
  | { readonly type: "format"; readonly format: TranscriptFormat }
  | { readonly type: "session"; readonly id: string; readonly meta: SessionMeta }
  | {
      readonly type: "message";
      readonly sessionId: string;
      readonly message: Message;
      /** Folders that the message was recorded in, if one of them is not the folder of the session. */
      readonly folders?: readonly string[];
    }
  | { readonly type: "compaction"; readonly sessionId: string; readonly compaction: TranscriptCompaction }
  | { readonly type: "meta"; readonly sessionId: string; readonly meta: SessionMeta }
  | { readonly type: "skipped"; readonly skipped: Skipped }
  | { readonly type: "ignored"; readonly kind: string };

export type Emit = (event: TranscriptEvent) => void;

/** Position of a record in its file. */
export interface RecordPlace {
  readonly line: number;
  /** In a JSON document: field names and indices that lead to the record. Empty for a line. */
  readonly path: readonly (string | number)[];
}

/**
 * Reads the records of one format in order. May only throw `InvalidMessageError`, which skips the record. `end` emits
 * held-back messages and never throws. A session is opened only for a record that was read.
 */
export interface RecordReader {
  push(record: unknown, place: RecordPlace): void;
  end(): void;
}
