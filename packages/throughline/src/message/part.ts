import type { ToolOutput } from "./tool-output.ts";

/** Format that a message or part was read from. Transcript formats build on these. */
export type ForeignFormat =
  | "ai-sdk"
  | "ai-sdk-ui"
  | "openai-chat"
  | "openai-responses"
  | "anthropic"
  | "gemini"
  | "opencode"
  | "pi"
  | "copilot";

/** Fields of a foreign format that our model has no equivalent for. Converting back restores them unchanged. */
export interface Foreign {
  readonly format: ForeignFormat;
  /** Shape of the original, if several shapes map to the same part. */
  readonly form?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Settings per provider, as the AI SDK passes them: signatures, cache marks, native compaction. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Fields that every part has. */
export interface PartBase {
  readonly id: string;
  /** Token count, computed once when the part is appended. */
  readonly tokens?: number;
  /** Counter that `tokens` was computed with. Counts of different counters are not comparable. */
  readonly countedBy?: string;
  readonly providerOptions?: ProviderOptions;
  readonly foreign?: Foreign;
}

export interface TextPart extends PartBase {
  readonly type: "text";
  readonly text: string;
  /** Inserted by an agent or by Throughline, not written by the message's role. */
  readonly synthetic?: boolean;
}

export interface ReasoningPart extends PartBase {
  readonly type: "reasoning";
  readonly text: string;
}

export type FileData =
  /** Base64 text or raw bytes. */
  | { readonly type: "data"; readonly data: string | Uint8Array }
  | { readonly type: "url"; readonly url: string }
  /** A file uploaded earlier: provider name → that provider's file id. */
  | {
      readonly type: "reference";
      readonly reference: Readonly<Record<string, string>>;
    }
  | { readonly type: "text"; readonly text: string };

/** A file of any kind. An image is a file whose media type is `image` or begins with `image/`. */
export interface FilePart extends PartBase {
  readonly type: "file";
  readonly mediaType: string;
  readonly filename?: string;
  readonly data: FileData;
}

/** A file that the model created while reasoning. */
export interface ReasoningFilePart extends PartBase {
  readonly type: "reasoning-file";
  readonly mediaType: string;
  readonly data: FileData;
}

export interface ToolCallPart extends PartBase {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** The provider ran the tool itself, so no result has to follow. */
  readonly providerExecuted?: boolean;
}

export interface ToolResultPart extends PartBase {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: ToolOutput;
  readonly providerExecuted?: boolean;
  /** Time at which the output was masked. The original stays in the history. */
  readonly compactedAt?: number;
  readonly originalTokens?: number;
}

/** Asks for approval of a call. A signature may cover the call, so its input must not be edited. */
export interface ToolApprovalRequestPart extends PartBase {
  readonly type: "tool-approval-request";
  readonly approvalId: string;
  readonly toolCallId: string;
}

export interface ToolApprovalResponsePart extends PartBase {
  readonly type: "tool-approval-response";
  readonly approvalId: string;
  readonly approved: boolean;
  readonly reason?: string;
  readonly providerExecuted?: boolean;
}

export interface StepStartPart extends PartBase {
  readonly type: "step-start";
}

/** Marks a span of messages that was replaced by its summary. */
export interface CompactionMarkerPart extends PartBase {
  readonly type: "compaction-marker";
  readonly summary: string;
  readonly compactedAt: number;
  readonly messagesCompacted: number;
  readonly originalTokens: number;
}

/** A part of an unknown kind: kept unchanged and restored when converted back to its format. */
export interface OpaquePart extends PartBase {
  readonly type: "opaque";
  readonly format: ForeignFormat;
  readonly value: unknown;
}

export type Part =
  | TextPart
  | ReasoningPart
  | FilePart
  | ReasoningFilePart
  | ToolCallPart
  | ToolResultPart
  | ToolApprovalRequestPart
  | ToolApprovalResponsePart
  | StepStartPart
  | CompactionMarkerPart
  | OpaquePart;

/** Kind of a part. */
export type PartType = Part["type"];

type WithoutId<P> = P extends Part ? Omit<P, "id"> & { readonly id?: string } : never;

/** A part without an id. */
export type PartDraft = WithoutId<Part>;

/** Handle of a part: `session.expand` returns its original with it. */
export function handleOf(partId: string): string {
  return `part:${partId}`;
}
