import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { type Calibration, calibrationRatio } from "./calibration.ts";
import { countOne, countTotal } from "./count-message.ts";
import { counterFor } from "./count-tokens.ts";

/** Counts tokens for one model, without a safety margin. Multiply a total by `factor` to get the provider's count. */
export interface TokenCounter {
  readonly text: (text: string) => number;
  readonly part: (part: Part) => number;
  readonly message: (message: Message) => number;
  readonly messages: (messages: readonly Message[]) => number;
  /** Tokens the provider is expected to count per token counted here. */
  readonly factor: number;
}

/** Cache: model → message → tokens. Messages are immutable, so counts stay valid. */
const counted = new Map<string, WeakMap<Message, number>>();
/** Models with a cache. More of them only occur if ids are made up. */
const MAX_MODELS = 100;

/** Creates the counter for a model, corrected by the usage its provider has reported so far. */
export function createTokenCounter(modelId: string, calibration: Calibration): TokenCounter {
  const counter = counterFor(modelId, 1);
  const options = { modelId, counter };
  const known = counted.get(modelId) ?? new WeakMap<Message, number>();
  if (counted.size < MAX_MODELS) counted.set(modelId, known);
  const message = (one: Message) => {
    let tokens = known.get(one);
    if (tokens === undefined) {
      tokens = countTotal([one], options);
      known.set(one, tokens);
    }
    return tokens;
  };
  return {
    text: (text) => counter.count(text),
    part: (part) => countOne(part, options),
    message,
    messages: (messages) => messages.reduce((sum, one) => sum + message(one), 0),
    factor: factorFor(modelId, calibration),
  };
}

/** An exact count is never lowered: a smaller reported count probably leaves out cached tokens. */
function factorFor(modelId: string, calibration: Calibration): number {
  const { exact, margin } = counterFor(modelId);
  const reported = calibrationRatio(calibration, modelId) ?? margin;
  return exact ? Math.max(1, reported) : reported;
}
