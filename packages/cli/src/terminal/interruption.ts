import process from "node:process";
import { EXIT } from "../usage-error.ts";

/** The user pressed Ctrl-C. */
export class InterruptedError extends Error {}

const leave = () => process.exit(EXIT.interrupted);

/** Ends the process at once on Ctrl-C, unless a command handles it. A database keeps its acknowledged writes. */
export function endAtInterrupt(): void {
  process.on("SIGINT", leave);
}

/**
 * Runs work that Ctrl-C can stop between two steps. A second Ctrl-C ends the process at once.
 *
 * @param state describes the data stored so far, and how to continue
 */
export async function interruptible<T>(state: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) leave();
    controller.abort(new InterruptedError(`Stopped. ${state}`));
  };
  process.off("SIGINT", leave);
  process.on("SIGINT", stop);
  try {
    return await work(controller.signal);
  } finally {
    process.off("SIGINT", stop);
    process.on("SIGINT", leave);
  }
}

/** The values of `source` until the signal, even if the source does not produce any. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const values = source[Symbol.asyncIterator]();
  for (;;) {
    signal.throwIfAborted();
    const next = await orAborted(values.next(), signal);
    if (next.done) return;
    yield next.value;
  }
}

/** Not `Promise.race` with one shared promise, which would retain every value until the end. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
