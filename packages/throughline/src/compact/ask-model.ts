import { ModelError } from "../errors/model-error.ts";
import { redactSecrets } from "../internal/find-secrets.ts";
import { omitUndefined } from "../internal/json.ts";
import type { Logger } from "../ports/logger.ts";
import type { ModelReply, ModelRequest } from "../ports/model.ts";
import { runInTime, type TimeOptions } from "../ports/run-in-time.ts";
import { type AnyModel, toModel } from "./to-model.ts";

/** Time limit, abort signal and logger of a call to a model. */
export interface AskOptions extends TimeOptions {
  /** Receives a warning if the model gives no usable answer. */
  readonly logger?: Logger;
}

/** What a model is asked, and how its reply is read. */
export interface Question<T> extends Omit<ModelRequest, "signal"> {
  /** The work, for log messages: `fact extraction`. */
  readonly task: string;
  /** Who is asked, for error messages; by default `the model`. */
  readonly role?: string;
  /** Milliseconds that the work may take if the caller sets no other limit; by default 30 s. */
  readonly defaultTimeLimit?: number;
  /** The content of a reply, or why it cannot be used. */
  readonly read: (reply: ModelReply) => Reading<T>;
}

export type Reading<T> = { readonly value: T } | { readonly failure: string };

export type Answer<T> = { readonly value: T } | { readonly error: ModelError };

const DEFAULT_TIME_LIMIT = 30_000;

/**
 * Asks a model, for every use of one: within a time limit, until the caller aborts, and without throwing, because all work
 * goes on without a model. Secrets do not get into error messages.
 *
 * @example
 * const answer = await askModel(model, { ...prompt, task: "fact extraction", read: (reply) => readText(reply, parseFacts) });
 * if ("error" in answer) return extractByRules(turns);
 */
export async function askModel<T>(
  model: AnyModel,
  { task, role = "the model", defaultTimeLimit = DEFAULT_TIME_LIMIT, read, ...request }: Question<T>,
  { timeLimit = defaultTimeLimit, signal, logger }: AskOptions = {},
): Promise<Answer<T>> {
  const ask = async (stop: AbortSignal) => read(await toModel(model).generate({ ...request, signal: stop }));
  const outcome = await runInTime(role, ask, omitUndefined({ timeLimit, signal }));
  const answer =
    "value" in outcome ? toAnswer(outcome.value) : { error: toModelError(outcome, signal?.aborted === true) };
  if ("error" in answer)
    logger?.warn(`No ${task} from the model (${reasonOf(answer.error)}); using the rules instead.`);
  return answer;
}

/** The reason for a missing answer, as a part of a sentence. */
export function reasonOf({ summary }: ModelError): string {
  return summary.replace(/\.$/, "");
}

/** Reads the text of a reply. A reply without text, or with tool calls, cannot be used. */
export function readText<T>({ text, hasToolCalls }: ModelReply, read: (text: string) => Reading<T>): Reading<T> {
  if (hasToolCalls === true) return { failure: "it asked for tools" };
  return typeof text === "string" && text.trim() !== "" ? read(text) : { failure: "it wrote nothing" };
}

function toAnswer<T>(reading: Reading<T>): Answer<T> {
  return "value" in reading ? reading : { error: new ModelError("unusable", redactSecrets(reading.failure)) };
}

/** A model that gave no reply threw `cause`, was stopped, or took too long. */
function toModelError({ failure, cause }: { failure: string; cause?: unknown }, isStopped: boolean): ModelError {
  if (cause instanceof ModelError) return new ModelError(cause.problem, redactSecrets(cause.summary), cause.status);
  const message = redactSecrets(failure);
  if (cause !== undefined) return new ModelError("failed", message);
  return new ModelError(isStopped ? "stopped" : "timed-out", message);
}
