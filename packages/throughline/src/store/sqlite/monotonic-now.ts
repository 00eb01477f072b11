import process from "node:process";

/** Milliseconds of a clock that never goes back. `performance` takes a millisecond to load at the start of a process. */
export function monotonicNow(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return 1_000 * seconds + nanoseconds / 1e6;
}
