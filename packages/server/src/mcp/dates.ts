import { InvalidOptionError } from "throughline";

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;
const OF_DAY = { start: "T00:00:00.000Z", end: "T23:59:59.999Z" } as const;

/**
 * Parses a day in UTC (its start or its end) or a time, in milliseconds since 1970.
 *
 * @throws InvalidOptionError if it is neither
 */
export function readDate(name: string, text: string, edge: keyof typeof OF_DAY): number {
  const time = DAY.test(text) ? Date.parse(text + OF_DAY[edge]) : MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new InvalidOptionError(
      name,
      text.slice(0, 80),
      'a date such as "2026-05-01", or a time such as "2026-05-01T14:30:00Z"',
    );
  }
  return time;
}

/** ISO 8601. */
export function writeTime(time: number): string {
  return new Date(time).toISOString();
}
