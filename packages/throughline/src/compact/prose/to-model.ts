import type { OptionRule } from "../../errors/check-options.ts";
import { isRecord, omitUndefined } from "../../internal/json.ts";
import { lazy } from "../../internal/memoize.ts";
import { retryTemporary } from "../../ports/clock.ts";
import type { Model, ModelCall } from "../../ports/model.ts";
import { isLanguageModel, type LanguageModelLike } from "./language-model.ts";

/** An implementation of the `Model` port, an AI SDK language model, or the id of one, such as `openai/gpt-4o`. */
export type AnyModel = Model | LanguageModelLike | string;

/** Check of an option that is a model. */
export const MODEL: OptionRule = [
  (value) =>
    isLanguageModel(value) || typeof value === "string" || (isRecord(value) && typeof value.generate === "function"),
  'a model of the AI SDK, such as openai("gpt-4o"), its id, such as "openai/gpt-4o", or an object with `generate`',
];

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
    const { content, finishReason } = await retryTemporary(() => model.doGenerate(call), { signal });
    const parts = content.filter(isRecord);
    return {
      text: parts.map((part) => (part.type === "text" && typeof part.text === "string" ? part.text : "")).join(""),
      hasToolCalls: parts.some((part) => part.type === "tool-call"),
      isCut: (isRecord(finishReason) ? finishReason.unified : finishReason) === "length",
    };
  };
  return { modelId: model.modelId, generate };
}

/** The same model with one more listener for its calls. */
export function withCallListener(given: AnyModel, listener: (call: ModelCall) => void): Model {
  const model = toModel(given);
  return {
    // Some models learn their id with the first request.
    get modelId() {
      return model.modelId;
    },
    ...omitUndefined({ contextLimit: model.contextLimit }),
    generate: (request) => model.generate(request),
    onCall(call) {
      model.onCall?.(call);
      listener(call);
    },
  };
}
