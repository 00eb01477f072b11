import { ABOVE_ZERO, LOGGER, OBJECT, type OptionRules } from "../errors/check-options.ts";
import { ModelError, type ModelProblem } from "../errors/model-errors.ts";
import { redactSecrets } from "../internal/find-secrets.ts";
import { omitUndefined } from "../internal/json.ts";
import { runInTime, type TimeOptions } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Model, ModelCall, ModelReply, ModelRequest } from "../ports/model.ts";
import { type AnyModel, toModel } from "./prose/model-adapter.ts";

/** Time limit, abort signal and logger of a call to a model. */
export interface AskOptions extends TimeOptions {
  /** Receives a warning if the model gives no usable answer. */
  readonly logger?: Logger;
}

/** Checks of the options. */
export const ASK_RULES: OptionRules<AskOptions> = { timeLimit: ABOVE_ZERO, signal: OBJECT, logger: LOGGER };

/** A request to a model, and the parser of its reply. */
export interface Question<T> extends Omit<ModelRequest, "signal"> {
  /** The work, for log messages: `fact extraction`. */
  readonly task: string;
  /** Name of the model in error messages. Default: `the model`. */
  readonly role?: string;
  /** Milliseconds that the work may take if the caller sets no other limit; by default 30 s. */
  readonly defaultTimeLimit?: number;
  /** The rest of a time limit that several requests share. */
  readonly rest?: TimeBudget;
  /** The content of a reply without the model's reasoning, or why it cannot be used. */
  readonly read: (reply: ModelReply) => Reading<T>;
}

/** Rest of a time limit after earlier requests, in milliseconds. */
export interface TimeBudget {
  readonly timeLeft: number;
  /** With less time left, the request is not sent. */
  readonly minTime: number;
}

export type Reading<T> = { readonly value: T } | { readonly failure: string };

export type Answer<T> = { readonly value: T } | { readonly error: ModelError };

const DEFAULT_TIME_LIMIT = 30_000;

/**
 * Asks a model, for every use of one: within a time limit, until the caller aborts, and without throwing, because all
 * work goes on without a model. After several failures in a row, the model is not asked for a while; if earlier
 * requests left too little time, it is not asked either. Secrets do not get into error messages. `onCall` of the model
 * gets the outcome.
 *
 * @example
 * const answer = await askModel(model, { ...prompt, task: "fact extraction", read: (reply) => readText(reply,
 * parseFacts) }); if ("error" in answer) return extractByRules(turns);
 */
export async function askModel<T>(
  model: AnyModel,
  question: Question<T>,
  options: AskOptions = {},
): Promise<Answer<T>> {
  const { task, defaultTimeLimit = DEFAULT_TIME_LIMIT, rest } = question;
  const { timeLimit: whole = defaultTimeLimit, logger } = options;
  const timeLimit = Math.min(whole, rest?.timeLeft ?? whole);
  const health = typeof model === "string" ? new ModelHealth() : healthOf(model);
  const start = Date.now();
  const unsent = reasonNotToSend(health.pauseLeft(start), rest);
  const answer: Answer<T> = unsent ? { error: unsent } : await ask(model, question, { ...options, timeLimit }, health);
  if ("value" in answer) health.noteAnswer();
  else if (unsent === undefined) {
    // A model that was given less time than usual may be slow and healthy.
    const isHurried = answer.error.problem === "timed-out" && timeLimit < whole;
    logFailure(answer.error, isHurried ? 0 : health.noteFailure(answer.error, Date.now()), task, logger);
  }
  report(model, task, answer, Date.now() - start);
  return answer;
}

function reasonNotToSend(wait: number, rest: TimeBudget | undefined): ModelError | undefined {
  if (wait > 0) {
    return new ModelError(
      "paused",
      `the model failed before; the next request is in ${Math.ceil(wait / 1_000)} s at the earliest`,
    );
  }
  if (rest === undefined || rest.timeLeft >= rest.minTime) return undefined;
  return new ModelError("paused", "earlier requests left too little time");
}

async function ask<T>(
  model: AnyModel,
  { role = "the model", defaultTimeLimit: _limit, rest: _rest, task: _task, read, ...request }: Question<T>,
  { timeLimit, signal }: AskOptions & { readonly timeLimit: number },
  health: ModelHealth,
): Promise<Answer<T>> {
  const work = (stop: AbortSignal) => generate(toModel(model), { ...request, signal: stop }, read, health);
  const outcome = await runInTime(role, work, omitUndefined({ timeLimit, signal }));
  return "value" in outcome ? toAnswer(outcome.value) : { error: toModelError(outcome, signal?.aborted === true) };
}

/** Tokens for a model that reasons before it answers. */
const REASONING_TOKENS = 4_096;

/** If a reply is cut off before the answer, asks once more with room for reasoning, from then on at once. */
async function generate<T>(
  model: Model,
  request: ModelRequest,
  read: Question<T>["read"],
  health: ModelHealth,
): Promise<Reading<T>> {
  for (;;) {
    const { reasons } = health;
    const maxOutputTokens = request.maxOutputTokens + (reasons ? REASONING_TOKENS : 0);
    const reply = await model.generate({ ...request, maxOutputTokens });
    const { text, isCut = false } = reply;
    const reading = read(typeof text === "string" ? { ...reply, text: withoutReasoning(text) } : reply);
    if ("value" in reading || !isCut) return reading;
    if (reasons) return { failure: `${reading.failure}, because the reply was cut off at ${maxOutputTokens} tokens` };
    health.reasons = true;
  }
}

const REASONING_START = /^\s*<(think|thinking|reasoning|thought)>/i;
const REASONING_END = /<\/(?:think|thinking|reasoning|thought)>/i;

/** A reply without the reasoning that some models write before it. Some servers leave out the opening tag. */
function withoutReasoning(text: string): string {
  const start = REASONING_START.exec(text);
  const end = REASONING_END.exec(text);
  // Reasoning that was cut off has no reply behind it.
  if (end === null) return start === null ? text : "";
  const isTagOfReply = start === null && text.slice(0, end.index).includes(end[0].replace("/", ""));
  return isTagOfReply ? text : text.slice(end.index + end[0].length).trimStart();
}

/** Skipped requests are not logged: the start of the pause is. */
function logFailure(error: ModelError, pause: number, task: string, logger: Logger | undefined): void {
  if (error.problem === "paused") return;
  const rest =
    pause === 0
      ? ""
      : ` The model failed several times in a row; the next request is in ${pause / 1_000} s at the earliest.`;
  logger?.warn(`No ${task} from the model (${reasonOf(error)}); rules do the work.${rest}`);
}

function report<T>(model: AnyModel, task: string, answer: Answer<T>, duration: number): void {
  const error = "error" in answer ? answer.error : undefined;
  if (error?.problem === "stopped") return;
  const outcome: ModelCall["outcome"] =
    error === undefined ? "answered" : error.problem === "paused" ? "skipped" : "failed";
  const failure = error && reasonOf(error);
  const { problem, status } = error ?? {};
  try {
    toModel(model).onCall?.(omitUndefined({ task, outcome, failure, problem, status, duration }));
  } catch {
    // Statistics must not stop the work.
  }
}

/** The reason for a missing answer, as a part of a sentence. */
export function reasonOf({ summary }: ModelError): string {
  return summary.replace(/\.$/, "");
}

/** Reads the text of a reply. A reply without text, or with tool calls, cannot be used. */
export function readText<T>({ text, hasToolCalls }: ModelReply, read: (text: string) => Reading<T>): Reading<T> {
  if (hasToolCalls === true) return { failure: "the reply calls tools" };
  return typeof text === "string" && text.trim() !== "" ? read(text) : { failure: "the reply is empty" };
}

function toAnswer<T>(reading: Reading<T>): Answer<T> {
  return "value" in reading ? reading : { error: new ModelError("unusable", redactSecrets(reading.failure)) };
}

/** A model call without a reply: it threw `cause`, was aborted, or timed out. */
function toModelError({ failure, cause }: { failure: string; cause?: unknown }, isStopped: boolean): ModelError {
  if (cause instanceof ModelError) return new ModelError(cause.problem, redactSecrets(cause.summary), cause.status);
  const message = redactSecrets(failure);
  if (cause !== undefined) return new ModelError("failed", message);
  return new ModelError(isStopped ? "stopped" : "timed-out", message);
}

/**
 * Failures in a row after which a model is not asked for a while. A timeout counts twice, because it costs the most
 * time.
 */
const MAX_FAILURES = 3;
const TIMEOUT_WEIGHT = 2;
/** Milliseconds of the first pause; doubled if the model fails again after it. */
const PAUSE = 60_000;
const MAX_PAUSE = 16 * PAUSE;
/** Problems that do not predict a failure of the next request. */
const HARMLESS: readonly ModelProblem[] = ["paused", "stopped", "unusable"];

/**
 * Failures of a model in a row. A model that keeps failing is paused, so that long work does not wait for it each time.
 */
class ModelHealth {
  /** The model used up its tokens before it answered, so it needs more of them. */
  reasons = false;
  #failures = 0;
  #pausedUntil = 0;

  /** Milliseconds until the model may be asked again; 0 if it may be asked now. */
  pauseLeft(now: number): number {
    return Math.max(0, this.#pausedUntil - now);
  }

  /** Milliseconds of a pause that starts with this failure; 0 for none. */
  noteFailure({ problem }: ModelError, now: number): number {
    if (HARMLESS.includes(problem)) return 0;
    this.#failures += problem === "timed-out" ? TIMEOUT_WEIGHT : 1;
    if (this.#failures < MAX_FAILURES || this.pauseLeft(now) > 0) return 0;
    const pause = Math.min(MAX_PAUSE, PAUSE * 2 ** (this.#failures - MAX_FAILURES));
    this.#pausedUntil = now + pause;
    return pause;
  }

  noteAnswer(): void {
    this.#failures = 0;
    this.#pausedUntil = 0;
  }
}

const healths = new WeakMap<object, ModelHealth>();

/** The health of a model, shared by everything in this process that asks it. */
function healthOf(model: object): ModelHealth {
  const known = healths.get(model);
  if (known !== undefined) return known;
  const health = new ModelHealth();
  healths.set(model, health);
  return health;
}
