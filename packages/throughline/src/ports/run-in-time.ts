/** How long something outside may take, and what stops it. */
export interface TimeOptions {
  /** Milliseconds after which it is given up. */
  readonly timeLimit?: number;
  readonly signal?: AbortSignal;
}

/** What came of it, or why nothing did. */
type InTime<T> = { readonly value: T } | { readonly failure: string; readonly cause?: unknown };

/**
 * Waits for something outside, a model for example, for so long and no longer. Never throws: what is asked of others goes
 * on without them. Whoever is asked is told to stop, and nobody waits for it to do so.
 *
 * @example
 * const reply = await runInTime("the model", (signal) => model.generate({ ...request, signal }), { timeLimit: 30_000 });
 */
export async function runInTime<T>(
  who: string,
  work: (signal: AbortSignal) => PromiseLike<T>,
  { timeLimit, signal }: TimeOptions & { readonly timeLimit: number },
): Promise<InTime<T>> {
  const stopped = { failure: `${who} was stopped` };
  if (signal?.aborted) return stopped;
  const controller = new AbortController();
  const { promise: given, resolve: giveUp } = Promise.withResolvers<InTime<T>>();
  const stop = (failure: { readonly failure: string }) => {
    giveUp(failure);
    controller.abort(signal?.reason);
  };
  const abort = () => stop(stopped);
  const timer = setTimeout(() => stop({ failure: `${who} did not answer in ${timeLimit / 1_000} s` }), timeLimit);
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
    return { failure: cause instanceof Error ? cause.message : String(cause), cause };
  }
}
