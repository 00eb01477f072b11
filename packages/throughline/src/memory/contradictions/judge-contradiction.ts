import { type AnyModel, toModel } from "../../compact/to-model.ts";
import { omitUndefined } from "../../message/read-json.ts";
import type { Model } from "../../ports/model.ts";
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
export interface JudgeOptions {
  /** Milliseconds after which the model is given up. */
  readonly timeLimit?: number;
  readonly signal?: AbortSignal;
}

interface Failure {
  readonly failure: string;
}

const STOPPED: Failure = { failure: "the judge was stopped" };
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
  const verdict = await askModel(toModel(model), a, b, options);
  if (typeof verdict !== "boolean") return judgeByRules(a, b, verdict.failure);
  await cache.set(key, verdict);
  return byModel(verdict, a, b);
}

function judgeByRules(a: Claim, b: Claim, failure?: string): Judgement {
  const finding = findContradiction(a, b);
  return omitUndefined({ contradicts: finding !== undefined, by: "rules" as const, reason: finding?.reason, failure });
}

function byModel(contradicts: boolean, a: Claim, b: Claim): Judgement {
  const reason = contradicts ? findContradiction(a, b)?.reason : undefined;
  return omitUndefined({ contradicts, by: "model" as const, reason });
}

async function askModel(
  model: Model,
  a: Claim,
  b: Claim,
  { timeLimit = TIME_LIMIT, signal }: JudgeOptions,
): Promise<boolean | Failure> {
  if (signal?.aborted) return STOPPED;
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Failure>((resolve) => {
    controller.signal.addEventListener("abort", () => resolve(STOPPED), { once: true });
    timer = setTimeout(() => {
      resolve({ failure: `the judge did not answer in ${timeLimit / 1_000} s` });
      controller.abort();
    }, timeLimit);
  });
  try {
    return await Promise.race([late, askOnce(model, a, b, controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

async function askOnce(model: Model, a: Claim, b: Claim, signal: AbortSignal): Promise<boolean | Failure> {
  try {
    const request = { ...buildJudgePrompt(a, b), maxOutputTokens: MAX_TOKENS, temperature: 0, signal };
    const { text, hasToolCalls = false } = await model.generate(request);
    const verdict = hasToolCalls ? undefined : readVerdict(text);
    return verdict ?? { failure: "the judge said neither yes nor no" };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
