import { InvalidOptionError } from "../errors/invalid-option-error.ts";

/** Latest time that a `Date` can represent, in milliseconds since 1970. */
export const LAST_TIME = 8_640_000_000_000_000;

/** Milliseconds since 1970 of a number, an ISO date or a `Date`. */
export function readTime(name: string, time: number | string | Date): number {
  const read = typeof time === "number" ? time : new Date(time).getTime();
  if (!(Math.abs(read) <= LAST_TIME)) throw new InvalidOptionError(name, time, "milliseconds since 1970, or a date");
  return read;
}
