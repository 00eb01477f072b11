import { isRecord } from "../internal/json.ts";
import { messageOf } from "../internal/text.ts";

/**
 * Source of the current time. Pass your own to make tests reproducible.
 *
 * @example
 * const clock: Clock = { now: () => Date.UTC(2026, 0, 1) };
 * const tl = await createThroughline({ clock });
 */
export interface Clock {
  /** Returns the current time in milliseconds since 1970. */
  now(): number;
}

/** Clock of the machine. */
export const SYSTEM_CLOCK: Clock = { now: () => Date.now() };

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

/** Number and delay of retries. */
export interface RetryOptions {
  /** Retries after a temporary failure: overload or no connection. Default: 2. */
  readonly maxRetries?: number;
  /** Delay before the first retry in milliseconds; doubles with each retry. Default: 1,000. */
  readonly retryDelay?: number;
  /** Ends the retries. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs a request to a model of the AI SDK and retries temporary failures, which the AI SDK marks. */
export async function retryTemporary<T>(
  work: () => PromiseLike<T>,
  { maxRetries = 2, retryDelay = 1_000, signal }: RetryOptions,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isTemporary = isRecord(error) && error.isRetryable === true;
      if (!isTemporary || tries >= maxRetries || signal?.aborted) throw error;
    }
    await pause(retryDelay * 2 ** tries, signal);
    if (signal?.aborted) throw signal.reason;
  }
}

/** Waits, or returns early if aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = setTimeout(end, milliseconds);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener("abort", end);
}
