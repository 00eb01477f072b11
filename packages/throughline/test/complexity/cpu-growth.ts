import process from "node:process";

/** Work eight times as large may take this many times as long: linear work with some noise does. */
const MAX_RATIO = 16;
/** Milliseconds of processor time below which nothing is judged: noise of the machine cannot reach it. */
export const FLOOR = 60;
/** Growth that is measured again at larger sizes, because a super-linear part may hide behind a linear one. */
const SUSPECT_RATIO = 10;
/** Growth that is too steep is measured again at this multiple of the size. */
const BEYOND = 16;
const REPEATS = 3;

/** Sizes to measure. */
export interface Sizes {
  readonly first: number;
  readonly max: number;
  /** Milliseconds of processor time at which unsuspicious work is not measured at larger sizes. */
  readonly enough: number;
}

/** Growth of processor time from an eighth of the size to the size. */
export interface Growth {
  readonly size: number;
  readonly small: number;
  readonly large: number;
  readonly ratio: number;
  readonly isTooSteep: boolean;
}

type Work = (size: number) => unknown;

async function cpuTime(work: () => unknown): Promise<number> {
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

/** Enlarges the work until it costs enough to be compared with an eighth of it, or its size is the maximum. */
async function reach(work: Work, first: number, { max, enough }: Omit<Sizes, "first">) {
  let size = first;
  let large = await cpuTime(() => work(size));
  while (large < enough && size < max) {
    size = Math.min(size * (large < enough / 4 ? 4 : 2), max);
    large = await cpuTime(() => work(size));
  }
  return { size, large };
}

/**
 * Compares processor time at a size with that at an eighth of it. The size grows from the first one until the work
 * costs enough. Work that grows suspiciously is measured up to the floor, and several times before it is judged.
 * Undefined: the work stays too cheap to be compared.
 */
export async function measureGrowth(work: Work, sizes: Sizes): Promise<Growth | undefined> {
  const screened = await reach(work, sizes.first, sizes);
  if (screened.large < sizes.enough) return undefined;
  const first = await compare(work, screened.size, screened.large);
  if (first.ratio <= SUSPECT_RATIO) return first;
  const again = await compare(work, screened.size);
  if (again.ratio <= SUSPECT_RATIO || again.size === sizes.max) return again;
  const { size } = await reach(work, screened.size, { max: sizes.max, enough: FLOOR });
  const judged = size === again.size ? again : await compare(work, size);
  // Work that is bounded may grow fast until it reaches its bound: it does not at a larger size.
  return judged.isTooSteep && size * BEYOND <= sizes.max ? compare(work, size * BEYOND) : judged;
}

async function compare(work: Work, size: number, measured?: number): Promise<Growth> {
  const large = measured ?? (await leastCpuTime(() => work(size)));
  const small = await leastCpuTime(() => work(Math.ceil(size / 8)));
  const ratio = large / Math.max(small, 0.1);
  return { size, large, small, ratio, isTooSteep: large >= FLOOR && ratio > MAX_RATIO };
}

export function describeGrowth({ size, small, large, ratio }: Growth): string {
  return `${small.toFixed(1)} ms at ${Math.ceil(size / 8)}, ${large.toFixed(0)} ms at ${size}: ${ratio.toFixed(1)} times`;
}
