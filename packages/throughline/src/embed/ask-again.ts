import { EmbedderError } from "../errors/embedder-error.ts";
import { isRecord, omitUndefined } from "../internal/json.ts";
import { runInTime, type TimeOptions } from "../ports/run-in-time.ts";

/** How often and how long a model is asked. */
export interface AskAgainOptions extends TimeOptions {
  /** How often it is asked again where its failure may pass: it was overloaded, or could not be reached. */
  readonly maxRetries?: number;
  /** Milliseconds before it is asked again for the first time; twice as long before each further time. */
  readonly retryDelay?: number;
}

/** Asks a model of the AI SDK until it answers or there is no hope. What stops it by the signal throws its reason. */
export async function askAgain<T>(
  work: (signal: AbortSignal) => PromiseLike<T>,
  { timeLimit = 30_000, maxRetries = 2, retryDelay = 1_000, signal }: AskAgainOptions = {},
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    const reply = await runInTime("the model", work, omitUndefined({ timeLimit, signal }));
    if ("value" in reply) return reply.value;
    if (signal?.aborted) throw signal.reason;
    if (tries >= maxRetries || !mayPass(reply.cause)) {
      throw new EmbedderError("failed", `No vectors: ${reply.failure}.`, { cause: reply.cause });
    }
    await pause(retryDelay * 2 ** tries, signal);
  }
}

/** The AI SDK marks failures that may pass. */
function mayPass(cause: unknown): boolean {
  return isRecord(cause) && cause.isRetryable === true;
}

/** Ends early where it is stopped. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = setTimeout(end, milliseconds);
  signal?.addEventListener("abort", end, { once: true });
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener("abort", end);
}
