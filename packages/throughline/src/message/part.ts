import type { ToolOutput } from "./tool-output.ts";

/** Whose form something came in. Formats of transcripts are built on these. */
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

/** What a foreign form said that our model has no word for, kept so that the way back returns it unchanged. */
export interface Foreign {
  readonly format: ForeignFormat;
  /** The shape it had there, where several shapes mean the same to us. */
  readonly form?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Settings for one provider each, as the AI SDK passes them: signatures, cache marks, native compaction. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface PartBase {
  readonly id: string;
  /** Counted once, when the part is appended. */
  readonly tokens?: number;
  /** What `tokens` was counted with: another model's count says nothing. */
  readonly countedBy?: string;
  readonly providerOptions?: ProviderOptions;
  readonly foreign?: Foreign;
}

export interface TextPart extends PartBase {
  readonly type: "text";
  readonly text: string;
  /** Put there by an agent or by Throughline, not said by whom the role names. */
  readonly synthetic?: boolean;
}

export interface ReasoningPart extends PartBase {
  readonly type: "reasoning";
  readonly text: string;
}

export type FileData =
  /** Base64, or the bytes themselves. */
  | { readonly type: "data"; readonly data: string | Uint8Array }
  | { readonly type: "url"; readonly url: string }
  /** A file that was uploaded before: provider name to that provider's id. */
  | {
      readonly type: "reference";
      readonly reference: Readonly<Record<string, string>>;
    }
  | { readonly type: "text"; readonly text: string };

/** A file of any kind; an image is a file whose media type is `image` or begins with `image/`. */
export interface FilePart extends PartBase {
  readonly type: "file";
  readonly mediaType: string;
  readonly filename?: string;
  readonly data: FileData;
}

/** A file that the model made while reasoning. */
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
  /** The provider ran the tool itself: no result has to follow. */
  readonly providerExecuted?: boolean;
}

export interface ToolResultPart extends PartBase {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: ToolOutput;
  readonly providerExecuted?: boolean;
  /** When the output was masked; the original stays in the history. */
  readonly compactedAt?: number;
  readonly originalTokens?: number;
}

/** The agent asks whether it may run a call. A signature binds the call, so its input must not be edited. */
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

/** Stands where a span of messages was replaced by its summary. */
export interface CompactionMarkerPart extends PartBase {
  readonly type: "compaction-marker";
  readonly summary: string;
  readonly compactedAt: number;
  readonly messagesCompacted: number;
  readonly originalTokens: number;
}

/** A part of a kind that we do not know: carried as it is, and given back to the form it came from. */
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

type WithoutId<P> = P extends Part ? Omit<P, "id"> & { readonly id?: string } : never;

/** A part before it has its id. */
export type PartDraft = WithoutId<Part>;
