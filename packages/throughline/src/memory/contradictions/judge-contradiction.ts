import { type AskOptions, askModel, type Reading, readText, reasonOf } from "../../compact/ask-model.ts";
import type { AnyModel } from "../../compact/to-model.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { ModelReply } from "../../ports/model.ts";
import type { Claim } from "./claim.ts";
import { compareSlots } from "./compare-slots.ts";
import { findContradiction, meetInTime } from "./find-contradiction.ts";
import { buildJudgePrompt, pairKey, readVerdict } from "./judge-prompt.ts";

/** Stores the verdicts of a model, so that it is asked once for each pair of claims. */
export interface JudgementCache {
  /**
   * Returns a stored verdict; `undefined` if there is none.
   *
   * @param key Key of the pair: JSON of both texts.
   */
  get(key: string): Promise<boolean | undefined>;
  /**
   * Stores a verdict.
   *
   * @param key Key of the pair.
   * @param contradicts Whether the claims contradict each other.
   */
  set(key: string, contradicts: boolean): Promise<void>;
}

/** A decision about two claims. */
export interface Judgement {
  readonly contradicts: boolean;
  /** Who decided. */
  readonly by: "model" | "rules";
  /** Reason for the contradiction as one sentence, if the rules find it too. */
  readonly reason?: string;
  /** Why the answer of the model could not be used, if it was asked. */
  readonly failure?: string;
}

/** Time limit, abort signal and logger of a call to the model. */
export type JudgeOptions = AskOptions;

const TIME_LIMIT = 10_000;
const MAX_TOKENS = 16;

/**
 * Asks a model whether two claims contradict each other, and caches its verdict. The rules of `findContradiction` decide
 * instead if there is no model, or if it fails, times out or answers anything but yes or no. Such a decision is not cached.
 * The model is not asked if validity, subject, value or equal texts already rule out a contradiction.
 *
 * @param a One claim. The model reads at most 2,000 characters of its text; the middle of a longer one is left out.
 * @param b The other claim.
 * @param model Model to ask; `undefined` to use only the rules.
 * @param cache Stores verdicts by the texts of both claims, in either order. Its errors are not caught.
 * @param options Time limit in milliseconds (default 10,000), abort signal, and a logger for failures of the model.
 * @returns The decision, who made it, and the reason if the rules know one.
 *
 * @example
 * const { contradicts, by } = await judgeContradiction(claimOf(old), claimOf(fresh), model, cache);
 */
export async function judgeContradiction(
  a: Claim,
  b: Claim,
  model: AnyModel | undefined,
  cache: JudgementCache,
  options: JudgeOptions = {},
): Promise<Judgement> {
  if (model === undefined || !meetInTime(a, b) || a.text.trim() === b.text.trim()) return judgeByRules(a, b);
  if (compareSlots(a, b) === "none") return judgeByRules(a, b);
  const key = pairKey(a, b);
  const kept = await cache.get(key);
  if (kept !== undefined) return byModel(kept, a, b);
  const verdict = await askModel(model, questionFor(a, b), options);
  if ("error" in verdict) return judgeByRules(a, b, reasonOf(verdict.error));
  await cache.set(key, verdict.value);
  return byModel(verdict.value, a, b);
}

function judgeByRules(a: Claim, b: Claim, failure?: string): Judgement {
  const finding = findContradiction(a, b);
  return omitUndefined({ contradicts: finding !== undefined, by: "rules" as const, reason: finding?.reason, failure });
}

function byModel(contradicts: boolean, a: Claim, b: Claim): Judgement {
  const reason = contradicts ? findContradiction(a, b)?.reason : undefined;
  return omitUndefined({ contradicts, by: "model" as const, reason });
}

function questionFor(a: Claim, b: Claim) {
  return {
    ...buildJudgePrompt(a, b),
    maxOutputTokens: MAX_TOKENS,
    temperature: 0,
    task: "verdict on a contradiction",
    role: "the judge",
    defaultTimeLimit: TIME_LIMIT,
    read: (reply: ModelReply) => readText(reply, readYesOrNo),
  };
}

function readYesOrNo(text: string): Reading<boolean> {
  const value = readVerdict(text);
  return value === undefined ? { failure: "the judge said neither yes nor no" } : { value };
}
