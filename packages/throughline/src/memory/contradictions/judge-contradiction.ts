import { type AskOptions, askModel, type Reading, readText, reasonOf } from "../../compact/ask-model.ts";
import type { AnyModel } from "../../compact/to-model.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { ModelReply } from "../../ports/model.ts";
import type { Claim } from "./claim.ts";
import { compareSlots } from "./compare-slots.ts";
import { findContradiction, meetInTime } from "./find-contradiction.ts";
import { buildJudgePrompt, pairKey, readVerdict } from "./judge-prompt.ts";

/** Keeps what a model decided of a pair, so that it is asked once. */
export interface JudgementCache {
  get(key: string): Promise<boolean | undefined>;
  set(key: string, contradicts: boolean): Promise<void>;
}

/** Whether two claims contradict each other, and who says so. */
export interface Judgement {
  readonly contradicts: boolean;
  readonly by: "model" | "rules";
  /** Why, where the rules see it. */
  readonly reason?: string;
  /** Why the model has no say in it, where one was asked. */
  readonly failure?: string;
}

/** How a judge is asked. */
export type JudgeOptions = AskOptions;

const TIME_LIMIT = 10_000;
const MAX_TOKENS = 16;

/**
 * Asks a model whether two claims contradict each other. Its verdict is kept by what the two say. Without a model, or
 * where it fails, is late or says anything but yes or no, the rules decide, and nothing is kept.
 *
 * @example
 * const { contradicts } = await judgeContradiction(claimOf(old), claimOf(fresh), model, cache);
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
