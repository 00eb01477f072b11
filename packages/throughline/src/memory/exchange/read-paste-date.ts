import { omitUndefined } from "../../internal/json.ts";

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";
const DATE = String.raw`\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?|\d{4}[/.]\d\d?[/.]\d\d?|${MONTH} \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2} ${MONTH},? \d{4}|${MONTH},? \d{4}|\d{4}-\d\d`;
const UNKNOWN = "unknown|no date|date unknown|n/?a|undated|date not (?:available|saved|known)";
/** In brackets or bare, with what parts it from the rest. */
const PREFIX = new RegExp(
  String.raw`^(?:[[(](${DATE}|${UNKNOWN})[\])]\s*[-–—:.]*\s*|(${DATE})\s*(?:[-–—:]+\s+|$))`,
  "i",
);

/**
 * Takes the date off that an entry begins with.
 *
 * @example
 * takeDate("[2024-05-01] - User lives in Lisbon"); // { rest: "User lives in Lisbon", at: 1714521600000 }
 */
export function takeDate(text: string): { readonly rest: string; readonly at?: number } {
  const found = PREFIX.exec(text);
  if (found === null) return { rest: text };
  return omitUndefined({ rest: text.slice(found[0].length), at: readDate(found[1] ?? found[2] ?? "") });
}

function readDate(date: string): number | undefined {
  const numbers = (date.match(/\d+/g) ?? []).map(Number);
  const month = MONTHS.findIndex((name) => new RegExp(`\\b${name}`, "i").test(date));
  if (month !== -1) {
    const [year, day = 1] = [numbers.find((each) => each > 31), numbers.find((each) => each <= 31)];
    return toTime(year, month + 1, day);
  }
  const [year, monthNumber, day = 1] = numbers;
  return toTime(year, monthNumber, day);
}

/** The beginning of a day that is in the calendar. */
function toTime(year: number | undefined, month: number | undefined, day: number): number | undefined {
  if (year === undefined || month === undefined) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.getTime() : undefined;
}
