import { setTimeout } from "node:timers/promises";
import { time } from "../times.ts";

/** Milliseconds between two requests to `/healthz`. */
const HEALTH_PAUSE = 50;

/** Milliseconds of each request to `/healthz` until the load ends. */
export async function askHealth(url: string, load: PromiseLike<unknown>): Promise<readonly number[]> {
  let isDone = false;
  const stop = () => {
    isDone = true;
  };
  load.then(stop, stop);
  const taken: number[] = [];
  while (!isDone) {
    const [ms] = await time(async () => (await fetch(`${url}/healthz`)).arrayBuffer());
    taken.push(ms);
    await setTimeout(HEALTH_PAUSE);
  }
  return taken;
}
