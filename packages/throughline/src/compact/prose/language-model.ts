import { isRecord } from "../../internal/json.ts";

/** The subset of an AI SDK language model (specification 3 or 4) that Throughline uses. */
export interface LanguageModelLike {
  /** Id of the model. */
  readonly modelId: string;
  /**
   * Generates a reply. Throughline calls it as the AI SDK does.
   *
   * @param options Prompt and limits of the call.
   */
  doGenerate(options: {
    readonly prompt: never;
    readonly maxOutputTokens?: number;
    readonly temperature?: number;
    readonly abortSignal?: never;
  }): PromiseLike<{ readonly content: readonly unknown[]; readonly finishReason?: unknown }>;
}

/** True for a language model of the AI SDK. */
export function isLanguageModel(value: unknown): value is LanguageModelLike {
  return isRecord(value) && typeof value.doGenerate === "function";
}
