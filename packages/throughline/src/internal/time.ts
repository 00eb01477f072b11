/** Milliseconds. */
const SECOND = 1_000;
export const MINUTE: number = 60 * SECOND;
export const HOUR: number = 60 * MINUTE;
export const DAY: number = 24 * HOUR;

/** Latest time that a `Date` can represent, in milliseconds since 1970. */
export const MAX_TIME = 8_640_000_000_000_000;

/** Milliseconds since 1970, from a date string or a number of milliseconds. */
export function parseTimestamp(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : value;
  return typeof time === "number" && Number.isFinite(time) ? time : undefined;
}
