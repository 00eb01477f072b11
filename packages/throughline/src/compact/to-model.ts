import { isRecord } from "../internal/json.ts";
import type { Model } from "../ports/model.ts";
import { findLanguageModel } from "./find-language-model.ts";

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
  }): PromiseLike<{ readonly content: readonly unknown[] }>;
}

/** An implementation of the `Model` port, an AI SDK language model, or the id of one, such as `openai/gpt-4o`. */
export type AnyModel = Model | LanguageModelLike | string;

/** Adapts an AI SDK language model to the `Model` port. Returns an implementation of the port unchanged. */
export function toModel(model: AnyModel): Model {
  if (typeof model === "string") {
    return { modelId: model, generate: async (request) => toModel(await findLanguageModel(model)).generate(request) };
  }
  if (!("doGenerate" in model)) return model;
  const generate: Model["generate"] = async ({ system, prompt, signal, ...options }) => {
    const messages = [
      { role: "system", content: system },
      { role: "user", content: [{ type: "text", text: prompt }] },
    ];
    const call = { ...options, prompt: messages as never, ...(signal ? { abortSignal: signal as never } : {}) };
    const { content } = await model.doGenerate(call);
    const parts = content.filter(isRecord);
    return {
      text: parts.map((part) => (part.type === "text" && typeof part.text === "string" ? part.text : "")).join(""),
      hasToolCalls: parts.some((part) => part.type === "tool-call"),
    };
  };
  return { modelId: model.modelId, generate };
}
