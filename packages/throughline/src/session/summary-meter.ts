import { type AnyModel, toModel } from "../compact/prose/to-model.ts";
import { omitUndefined } from "../internal/json.ts";
import type { Model, ModelRequest } from "../ports/model.ts";
import { countTokens } from "../tokens/count-tokens.ts";
import type { SessionSnapshot } from "./state/session-repository.ts";
import type { SessionState } from "./state/session-state.ts";

/** Calls of a model for summaries, and their tokens: input and output. */
export interface SummaryUsage {
  readonly calls: number;
  readonly tokens: number;
}

const NONE: SummaryUsage = { calls: 0, tokens: 0 };

/** A model that counts its calls and tokens, and refuses those beyond the limits of the session. */
export class SummaryMeter {
  /** `undefined` if the session has no model. */
  readonly model: Model | undefined;
  readonly #before: SummaryUsage;
  readonly #limits: SummaryUsage;
  #used = NONE;

  constructor({ deps, state }: Pick<SessionSnapshot, "deps" | "state">) {
    this.#before = state.summaries ?? NONE;
    this.#limits = deps.summaryLimits;
    this.model = deps.model === undefined ? undefined : this.#metered(deps.model);
  }

  /** Adds the calls that are not stored yet to a state. */
  addTo(state: SessionState): SessionState {
    if (this.#used.calls === 0) return state;
    return { ...state, summaries: sum(state.summaries ?? NONE, this.#used) };
  }

  #metered(given: AnyModel): Model {
    const model = toModel(given);
    const { modelId, contextLimit } = model;
    return {
      ...omitUndefined({ modelId, contextLimit, onCall: model.onCall?.bind(model) }),
      generate: async (request) => {
        this.#admit(request);
        const reply = await model.generate(request);
        this.#used = sum(this.#used, { calls: 0, tokens: countTokens(reply.text ?? "") });
        return reply;
      },
    };
  }

  /** Counts a call before it is made: also a call that is stopped costs its input. */
  #admit({ system, prompt, maxOutputTokens }: ModelRequest): void {
    const input = countTokens(system) + countTokens(prompt);
    const refusal = whySpent(sum(this.#before, this.#used), this.#limits, input + maxOutputTokens);
    if (refusal !== undefined) throw new Error(refusal);
    this.#used = sum(this.#used, { calls: 1, tokens: input });
  }
}

/** Why a session may not call the model for a summary any more; `undefined` if it may. */
export function summariesSpent({ deps, state }: Pick<SessionSnapshot, "deps" | "state">): string | undefined {
  return whySpent(state.summaries ?? NONE, deps.summaryLimits, 1);
}

function whySpent(used: SummaryUsage, limits: SummaryUsage, tokens: number): string | undefined {
  if (used.calls >= limits.calls) return `the session has used its ${limits.calls} model calls for summaries`;
  if (used.tokens + tokens <= limits.tokens) return undefined;
  return `the session has too little left of its ${limits.tokens} model tokens for summaries`;
}

function sum(a: SummaryUsage, b: SummaryUsage): SummaryUsage {
  return { calls: a.calls + b.calls, tokens: a.tokens + b.tokens };
}
