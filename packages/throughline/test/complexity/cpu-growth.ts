import process from "node:process";

/** Work eight times as large may take this many times as long: linear work with some noise does. */
const MAX_RATIO = 16;
/** Milliseconds of processor time below which nothing is judged: noise of the machine cannot reach it. */
const FLOOR = 200;
const REPEATS = 3;

/** Milliseconds of processor time that work takes, whatever else the machine is doing. */
export async function cpuTime(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

async function leastCpuTime(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let done = 0; done < REPEATS; done += 1) least = Math.min(least, await cpuTime(work));
  return least;
}

/**
 * What is wrong with how work grows, if anything: processor time at `size` against that at an eighth of it. The small
 * one is only measured if the large one is over the floor, and both several times before anything is said of them.
 */
export async function findGrowth(work: (size: number) => unknown, size: number): Promise<string | undefined> {
  if ((await cpuTime(() => work(size))) < FLOOR) return undefined;
  const large = await leastCpuTime(() => work(size));
  if (large < FLOOR) return undefined;
  const small = await leastCpuTime(() => work(Math.ceil(size / 8)));
  const ratio = large / Math.max(small, 0.1);
  if (ratio <= MAX_RATIO) return undefined;
  return `${small.toFixed(1)} ms at ${Math.ceil(size / 8)}, ${large.toFixed(0)} ms at ${size}: ${ratio.toFixed(0)} times`;
}
