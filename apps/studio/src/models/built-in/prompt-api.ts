/** The used part of the browser's Prompt API: the global `LanguageModel`. */
export interface PromptApi {
  availability(options?: PromptLanguages): Promise<PromptAvailability>;
  create(options?: PromptSessionOptions): Promise<PromptSession>;
}

export type PromptAvailability = "unavailable" | "downloadable" | "downloading" | "available";

export interface PromptLanguages {
  readonly expectedInputs?: readonly PromptLanguage[];
  readonly expectedOutputs?: readonly PromptLanguage[];
}

interface PromptLanguage {
  readonly type: "text";
  readonly languages: readonly string[];
}

export interface PromptSessionOptions extends PromptLanguages {
  readonly initialPrompts?: readonly PromptMessage[];
  readonly signal?: AbortSignal;
  readonly monitor?: (monitor: EventTarget) => void;
}

export interface PromptMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface PromptSession {
  promptStreaming(
    input: readonly PromptMessage[],
    options?: { readonly signal?: AbortSignal; readonly responseConstraint?: object },
  ): ReadableStream<string>;
  /** Capacity and use in tokens; `inputQuota` and `inputUsage` are older names. */
  readonly contextWindow?: number;
  readonly inputQuota?: number;
  readonly contextUsage?: number;
  readonly inputUsage?: number;
  destroy(): void;
}

/** The browser wants to know before it is asked. Other languages are answered too, if less well. */
export const PROMPT_LANGUAGES: PromptLanguages = {
  expectedInputs: [{ type: "text", languages: ["en"] }],
  expectedOutputs: [{ type: "text", languages: ["en"] }],
};
