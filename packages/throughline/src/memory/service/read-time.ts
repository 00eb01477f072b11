import { InvalidOptionError } from "../../errors/invalid-option-error.ts";

/** What a date can hold. */
export const LAST_TIME = 8_640_000_000_000_000;

/** A time in milliseconds since 1970, however it was given. */
export function readTime(name: string, time: number | string | Date): number {
  const read = typeof time === "number" ? time : new Date(time).getTime();
  if (!(Math.abs(read) <= LAST_TIME)) throw new InvalidOptionError(name, time, "milliseconds since 1970, or a date");
  return read;
}
