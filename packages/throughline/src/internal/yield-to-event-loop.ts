/** Milliseconds of work after which other tasks get the thread. */
const SLICE = 20;

/** Globals that not every runtime has. */
const { setImmediate, setTimeout, performance } = globalThis as unknown as {
  setImmediate?: (work: () => void) => unknown;
  setTimeout?: (work: () => void) => unknown;
  performance?: { now(): number };
};
// Kept from the start: tests may replace the globals by clocks that stand still.
const later = setImmediate ?? setTimeout ?? queueTask;
const now = performance?.now.bind(performance) ?? Date.now;

/** Without timers nothing else waits for the thread. */
function queueTask(work: () => void): void {
  void Promise.resolve().then(work);
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
    later(() => {
      sliceStart = now();
      resolve();
    });
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
