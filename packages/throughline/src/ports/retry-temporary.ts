import { isRecord } from "../internal/json.ts";

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
