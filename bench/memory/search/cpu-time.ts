import process from "node:process";

/** Repetitions; the fastest counts, because other processes share the caches. */
const REPEATED = 5;

/** Milliseconds of CPU time of this process, and the result. */
export function cpuTime<T>(work: () => T): readonly [number, T] {
  const start = process.cpuUsage();
  const result = work();
  return [since(start), result];
}

export async function cpuTimeAsync<T>(work: () => Promise<T>): Promise<readonly [number, T]> {
  const start = process.cpuUsage();
  const result = await work();
  return [since(start), result];
}

/** The fewest milliseconds of CPU time of several runs. */
export function fastest(work: () => unknown): number {
  return Math.min(...Array.from({ length: REPEATED }, () => cpuTime(work)[0]));
}

function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
