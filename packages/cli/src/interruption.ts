import process from "node:process";
import { EXIT } from "./exit-codes.ts";

/** The user pressed Ctrl-C. */
export class InterruptedError extends Error {}

const leave = () => process.exit(EXIT.interrupted);

/** Ctrl-C ends the process at once, wherever nobody has more to say; a database keeps what it had acknowledged. */
export function endAtInterrupt(): void {
  process.on("SIGINT", leave);
}

/**
 * Work that can be stopped with Ctrl-C between two of its steps. Whoever presses it again does not want to wait.
 *
 * @param state what the user has then, and how to go on
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

/** The values of `source`, until the signal: a source that keeps still does not keep anybody waiting. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const values = source[Symbol.asyncIterator]();
  for (;;) {
    signal.throwIfAborted();
    const next = await orAborted(values.next(), signal);
    if (next.done) return;
    yield next.value;
  }
}

/** Not `Promise.race` with one promise for all: that would hold on to every value until the end. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
