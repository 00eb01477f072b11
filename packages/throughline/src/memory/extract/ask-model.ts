import { type AnyModel, toModel } from "../../compact/to-model.ts";
import type { ModelReply, ModelRequest } from "../../ports/model.ts";
import { runInTime, type TimeOptions } from "../../ports/run-in-time.ts";

/** How long a model may take, and what stops it. */
export type AskOptions = TimeOptions;

/** What the model wrote, or why there is nothing. */
export type Answer = { readonly text: string } | { readonly failure: string };

const DEFAULT_TIME_LIMIT = 30_000;

/** Asks a model for text and never throws: what depends on models goes on without them. */
export async function askModel(
  model: AnyModel,
  request: Omit<ModelRequest, "signal">,
  { timeLimit = DEFAULT_TIME_LIMIT, ...options }: AskOptions = {},
): Promise<Answer> {
  const ask = async (signal: AbortSignal) => readReply(await toModel(model).generate({ ...request, signal }));
  const answer = await runInTime("the model", ask, { ...options, timeLimit });
  return "failure" in answer ? { failure: answer.failure } : answer.value;
}

function readReply({ text, hasToolCalls }: ModelReply): Answer {
  if (hasToolCalls === true) return { failure: "it asked for tools" };
  return typeof text === "string" && text.trim() !== "" ? { text } : { failure: "it wrote nothing" };
}
