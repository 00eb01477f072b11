import { isRecord } from "../internal/json.ts";
import { lazy } from "../internal/lazy.ts";
import type { Model } from "../ports/model.ts";
import type { LanguageModelLike } from "./language-model.ts";

/** An implementation of the `Model` port, an AI SDK language model, or the id of one, such as `openai/gpt-4o`. */
export type AnyModel = Model | LanguageModelLike | string;

/** Finds models by their id. Few programs need it. */
export const loadModelFinder = lazy(() => import("./find-language-model.ts"));

/** Adapts an AI SDK language model to the `Model` port. Returns an implementation of the port unchanged. */
export function toModel(model: AnyModel): Model {
  if (typeof model === "string") {
    const generate: Model["generate"] = async (request) => {
      const { findLanguageModel } = await loadModelFinder();
      return toModel(await findLanguageModel(model)).generate(request);
    };
    return { modelId: model, generate };
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
