import type { OptionRule } from "../../errors/check-options.ts";
import { isRecord, omitUndefined } from "../../internal/json.ts";
import { lazy } from "../../internal/memoize.ts";
import { retryTemporary } from "../../ports/clock.ts";
import type { Model, ModelCall } from "../../ports/model.ts";

/** An implementation of the `Model` port, an AI SDK language model, or the id of one, such as `openai/gpt-4o`. */
export type AnyModel = Model | LanguageModelLike | string;

/** Check of an option that is a model. */
export const MODEL: OptionRule = [
  (value) =>
    isLanguageModel(value) || typeof value === "string" || (isRecord(value) && typeof value.generate === "function"),
  'a model of the AI SDK, such as openai("gpt-4o"), its id, such as "openai/gpt-4o", or an object with `generate`',
];

/** Finds models by their id. Few programs need it. */
const loadModelFinder = lazy(() => import("./find-language-model.ts"));

/** Finds the language model of an id. See {@link AnyModel}. */
export async function resolveModel(modelId: string): Promise<LanguageModelLike> {
  const { findLanguageModel } = await loadModelFinder();
  return findLanguageModel(modelId, isLanguageModel);
}

/** Adapts an AI SDK language model to the `Model` port. Returns an implementation of the port unchanged. */
export function toModel(model: AnyModel): Model {
  if (typeof model === "string") {
    return { modelId: model, generate: async (request) => toModel(await resolveModel(model)).generate(request) };
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
function isLanguageModel(value: unknown): value is LanguageModelLike {
  return isRecord(value) && typeof value.doGenerate === "function";
}
