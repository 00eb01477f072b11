/** Milliseconds of work after which other tasks get the thread. */
const SLICE = 20;

/** Globals that not every runtime has. */
const globals = globalThis as unknown as {
  readonly setImmediate?: (work: () => void) => unknown;
  readonly MessageChannel?: new () => { readonly port1: Port; readonly port2: Port };
  readonly performance?: { now(): number };
};

interface Port {
  onmessage: (() => void) | null;
  postMessage(message: null): void;
}

// Kept from the start: tests may replace the globals by clocks that stand still.
const later = globals.setImmediate ?? overChannel();
const now = globals.performance?.now.bind(globals.performance) ?? Date.now;

/** Browsers slow timers down in a tab that is not visible, but not messages. Without either nothing else waits. */
function overChannel(): (work: () => void) => void {
  if (globals.MessageChannel === undefined) return (work) => void Promise.resolve().then(work);
  const { port1, port2 } = new globals.MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return (work) => {
    waiting.push(work);
    port2.postMessage(null);
  };
}

let sliceStart = now();

/**
 * Lets other tasks of the thread run if the current ones have held it for 20 ms: a server answers other requests, a page
 * stays responsive. Call it between the steps of long work, never inside a section that must not be interleaved.
 *
 * @example
 * for (const item of items) {
 *   work(item);
 *   await yieldToEventLoop();
 * }
 */
export function yieldToEventLoop(): Promise<void> | undefined {
  if (now() - sliceStart < SLICE) return undefined;
  return new Promise((resolve) => {
    // Twice: Node runs what a network or file event schedules before it looks at the network again.
    later(() =>
      later(() => {
        sliceStart = now();
        resolve();
      }),
    );
  });
}

/** Maps items one by one, and lets other tasks run in between. */
export async function mapYielding<T, R>(items: Iterable<T>, map: (item: T) => R): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) {
    results.push(map(item));
    const pause = yieldToEventLoop();
    if (pause !== undefined) await pause;
  }
  return results;
}

/** Runs work that pauses at each `yield` to its end, without a pause. */
export function runSteps<R>(steps: Generator<undefined, R>): R {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same; other tasks may run at each `yield`. */
export async function runStepsYielding<R>(steps: Generator<undefined, R>): Promise<R> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const pause = yieldToEventLoop();
    if (pause !== undefined) await pause;
  }
}
