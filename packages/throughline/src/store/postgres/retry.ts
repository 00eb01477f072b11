import { setTimeout as sleep } from "node:timers/promises";
import { isPassing } from "./store-problem.ts";

const FIRST_PAUSE = 20;
const MAX_PAUSE = 2000;

/** Delay before a retry: exponential backoff with jitter. */
export function pauseBefore(attempt: number): number {
  const longest = Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1));
  return longest * (0.5 + Math.random() / 2);
}

/** Retries temporary failures for a number of milliseconds. */
export async function retry<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const end = performance.now() + milliseconds;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const pause = pauseBefore(attempt);
      if (!isPassing(error) || performance.now() + pause > end) throw error;
      await sleep(pause);
    }
  }
}
