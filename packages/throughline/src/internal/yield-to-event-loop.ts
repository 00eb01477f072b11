/** Milliseconds of work after which other tasks run. */
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

// Captured at import: tests may replace the globals with fake clocks.
const later = globals.setImmediate ?? overChannel();
const now = globals.performance?.now.bind(globals.performance) ?? Date.now;

/** Browsers throttle timers in hidden tabs, but not messages. Without both, other tasks do not run. */
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
 * Lets other tasks of the thread run if the current ones have run for 20 ms: a server answers other requests, a page
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
    // Twice: Node runs callbacks scheduled by I/O events before it polls for I/O again.
    later(() =>
      later(() => {
        sliceStart = now();
        resolve();
      }),
    );
  });
}

/** Maps items one by one and lets other tasks run in between. */
export async function mapYielding<T, R>(items: Iterable<T>, map: (item: T) => R): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) {
    results.push(map(item));
    const pause = yieldToEventLoop();
    if (pause !== undefined) await pause;
  }
  return results;
}

/** Runs a generator to its end without pauses. */
export function runSteps<R>(steps: Generator<undefined, R>): R {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs a generator to its end. Other tasks can run at each `yield`. */
export async function runStepsYielding<R>(steps: Generator<undefined, R>): Promise<R> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const pause = yieldToEventLoop();
    if (pause !== undefined) await pause;
  }
}

/** Items that are sorted at once, in a few milliseconds. */
const RUN = 4_000;

/** Sorts like `toSorted`, and lets other tasks run in between. */
export async function sortYielding<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += RUN) {
    runs.push(items.slice(start, start + RUN).sort(compare));
    await yieldToEventLoop();
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(mergeSorted(runs[at] ?? [], runs[at + 1] ?? [], compare));
      await yieldToEventLoop();
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Merges two sorted lists. Of equal items, those of the first list come first. */
export function mergeSorted<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): readonly T[] {
  if (b.length === 0) return a;
  const merged: T[] = [];
  let next = 0;
  for (const item of a) {
    for (let other = b[next]; other !== undefined && compare(other, item) < 0; other = b[next]) {
      merged.push(other);
      next += 1;
    }
    merged.push(item);
  }
  for (; next < b.length; next += 1) merged.push(b[next] as T);
  return merged;
}
