import { type AnyModel, toModel } from "../../compact/to-model.ts";
import type { ModelRequest } from "../../ports/model.ts";

/** How long a model may take, and what stops it. */
export interface AskOptions {
  /** Milliseconds after which the model is given up. */
  readonly timeLimit?: number;
  readonly signal?: AbortSignal;
}

/** What the model wrote, or why there is nothing. */
export type Answer = { readonly text: string } | { readonly failure: string };

const DEFAULT_TIME_LIMIT = 30_000;

/** Asks a model for text and never throws: what depends on models goes on without them. */
export async function askModel(
  anyModel: AnyModel,
  request: Omit<ModelRequest, "signal">,
  { timeLimit = DEFAULT_TIME_LIMIT, signal }: AskOptions = {},
): Promise<Answer> {
  const controller = new AbortController();
  const { promise: given, resolve: giveUp } = Promise.withResolvers<Answer>();
  const stop = (failure: string) => {
    giveUp({ failure });
    controller.abort();
  };
  const abort = () => stop("the model was stopped");
  const timer = setTimeout(() => stop(`the model did not answer in ${timeLimit / 1_000} s`), timeLimit);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([given, generate(anyModel, { ...request, signal: controller.signal })]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

async function generate(anyModel: AnyModel, request: ModelRequest): Promise<Answer> {
  try {
    const { text, hasToolCalls } = await toModel(anyModel).generate(request);
    if (hasToolCalls === true) return { failure: "it asked for tools" };
    return typeof text === "string" && text.trim() !== "" ? { text } : { failure: "it wrote nothing" };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
