import { messageOf } from "../internal/message-of.ts";

/** Time limit and abort signal of an operation. */
export interface TimeOptions {
  /** Time limit in milliseconds. */
  readonly timeLimit?: number;
  /** Aborts the operation. */
  readonly signal?: AbortSignal;
}

/** The value, or the reason for the failure. */
type InTime<T> = { readonly value: T } | { readonly failure: string; readonly cause?: unknown };

/**
 * Runs an external operation, such as a model call, with a time limit. Never throws. Aborts the operation at the time
 * limit without waiting for its end.
 *
 * @example
 * const reply = await runInTime("the model", (signal) => model.generate({ ...request, signal }), { timeLimit: 30_000
 * });
 */
export async function runInTime<T>(
  name: string,
  work: (signal: AbortSignal) => PromiseLike<T>,
  { timeLimit, signal }: TimeOptions & { readonly timeLimit: number },
): Promise<InTime<T>> {
  const stopped = { failure: `${name} was stopped` };
  if (signal?.aborted) return stopped;
  const controller = new AbortController();
  const { promise: given, resolve: giveUp } = Promise.withResolvers<InTime<T>>();
  const stop = (failure: { readonly failure: string }) => {
    giveUp(failure);
    controller.abort(signal?.reason);
  };
  const abort = () => stop(stopped);
  const timer = setTimeout(() => stop({ failure: `${name} did not answer in ${timeLimit / 1_000} s` }), timeLimit);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([given, attempt(work, controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

async function attempt<T>(work: (signal: AbortSignal) => PromiseLike<T>, signal: AbortSignal): Promise<InTime<T>> {
  try {
    return { value: await work(signal) };
  } catch (cause) {
    return { failure: messageOf(cause), cause };
  }
}
