import { isBusy } from "./sqlite-error.ts";

const FIRST_PAUSE = 2;
const MAX_PAUSE = 200;
const GROWTH = 1.6;

/** Retries while another connection holds the lock, for a number of milliseconds, with growing, jittered pauses. */
export async function retryWhileBusy<T>(attempt: () => Promise<T>, patience: number): Promise<T> {
  const deadline = performance.now() + patience;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * GROWTH, MAX_PAUSE)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    const jittered = pause * (0.5 + Math.random());
    await new Promise((resolve) => setTimeout(resolve, jittered));
  }
}
