import { omitUndefined } from "../internal/json.ts";
import { DAY as DAY_MS } from "../internal/time.ts";
import { wordList } from "./words.ts";

type DateKind = "day" | "month" | "year" | "quarter" | "weekday" | "time" | "relative";

/** A date or a time of day in a text. */
export interface FoundDate {
  readonly kind: DateKind;
  /** Normal form to compare two dates: a day as "03-05" without its year, a weekday as "friday", a time as "9pm". */
  readonly value: string;
  /** The weekday before a day: "friday". */
  readonly weekday?: string;
  /** Position in the text, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  /** The period that the date names, if it can be resolved. */
  readonly span?: TimeSpan;
}

/** Milliseconds since 1970 in UTC, `to` exclusive. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
  /** True if it is relative to today, as in "last week". */
  readonly isRelative?: true;
}

export interface DateOptions {
  /**
   * The current time in milliseconds since 1970, to resolve "last week" and dates without a year (default: unresolved).
   */
  readonly now?: number;
}

const MONTHS = wordList("January February March April May June July August September October November December");
const WEEKDAYS = wordList("Sunday Monday Tuesday Wednesday Thursday Friday Saturday");
const MONTH = String.raw`(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?`;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?\b`;
const LAST_DAY = String.raw`(?:\s?[-–]\s?(?<last>\d{1,2})(?:st|nd|rd|th)?\b)?`;
const WEEKDAY = "(?<weekday>(?:sun|mon|tues|wednes|thurs|fri|satur)day)";
const CLOCK = String.raw`\d{1,2}(?::\d\d)?\s?[ap]\.?m\b\.?|\d{1,2}:\d\d\b`;
/** Bounded, so that a long run of digits is not read again from each of them. */
const COUNT = String.raw`\d{1,5}`;
const UNITS = "(?:minute|hour|day|week|month|year)s?";
const PERIODS = "(?:week|weekend|month|quarter|year|spring|summer|autumn|fall|winter|morning|afternoon|evening)";

type Groups = Readonly<Record<string, string | undefined>>;
type Resolve = (groups: Groups, now: Date | undefined) => TimeSpan | undefined;

interface DateForm {
  readonly kind: DateKind;
  readonly pattern: RegExp;
  readonly resolve: Resolve;
}

function form(kind: DateKind, pattern: string, resolve: Resolve = () => undefined): DateForm {
  return { kind, pattern: new RegExp(pattern, "gi"), resolve };
}

/** Characters that every date form contains. Most texts have none of them, and the forms are slow to compile. */
const ANY_FORM = new RegExp(
  String.raw`\d|${MONTHS.map((name) => name.slice(0, 3)).join("|")}|day|tomorrow|tonight|ago|last|this|next|end of`,
  "i",
);
/** A form does not begin within a word. */
const WORD_END = /[\p{L}\p{N}_]$/u;

/** The first matching form wins, and its text is not read again. */
const FORMS: readonly DateForm[] = [
  form(
    "day",
    String.raw`(?<year>\d{4})(?<separator>[-.])(?<month>\d\d)\k<separator>(?<day>\d\d)(?:[T ]\d\d?:\d\d[\d:.]{0,16}(?:Z|[+-]\d\d:?\d\d)?)?\b`,
    resolveDay,
  ),
  form("day", String.raw`(?<!\/)(?<year>\d{4})\/(?<month>\d{1,2})\/(?<day>\d{1,2})\b(?![-/])`, resolveDay),
  form("day", String.raw`(?:${WEEKDAY},? )?${DAY}(?: of)? ${MONTH},? (?<year>\d{4})\b`, resolveDay),
  form("month", String.raw`${MONTH},?(?: of)? (?<year>\d{4})\b`, resolveMonth),
  form("day", String.raw`(?:${WEEKDAY},? )?${MONTH} ${DAY}${LAST_DAY}(?:,? (?<year>\d{4})\b)?`, resolveDay),
  form("day", `(?:${WEEKDAY},? )?${DAY}(?: of)? ${MONTH}`, resolveDay),
  form("month", String.raw`(?<!\/)(?<year>(?:19|20)\d\d)-(?<month>0[1-9]|1[0-2])\b(?![-/])`, resolveMonth),
  form("month", String.raw`(?<=\b(?:in|during|last|since|this) )${MONTH}(?![a-z])`, resolveLastMonth),
  form("year", String.raw`(?<=\b(?:in|during|since) )(?<year>(?:19|20)\d\d)\b`, resolveYear),
  form("year", String.raw`(?<=\b(?:of|from|until) )(?<year>(?:19|20)\d\d)\b`),
  form("quarter", String.raw`Q[1-4](?: \d{4})?\b`),
  form("relative", String.raw`(?<word>today|yesterday)\b`, ({ word }, now) =>
    daysAgo(/^t/i.test(word ?? "") ? 0 : 1, 1, now),
  ),
  form(
    "relative",
    String.raw`(?<count>${COUNT}|a|two|three|four|five|six) (?<unit>day|week|month|year)s? ago\b`,
    resolveAgo,
  ),
  form("weekday", `last ${WEEKDAY}`, resolveLastWeekday),
  form("weekday", `(?:(?:next|this) )?${WEEKDAY}`),
  form("relative", String.raw`(?<which>last|this) (?<unit>week|month|year)\b`, resolveThisOrLast),
  form("relative", String.raw`tomorrow\b|tonight\b|(?:next|this) ${PERIODS}\b|(?:by )?end of (?:the )?${PERIODS}\b`),
  form("relative", String.raw`in ${COUNT} ${UNITS}\b|${COUNT} ${UNITS} away\b`),
  form("time", String.raw`(?<!:)(?:${CLOCK})(?:\s?[-–]\s?(?:${CLOCK}))?`),
];

/**
 * Finds the dates and times of day in an English text, by position. A date without a year is resolved to the last one
 * before now.
 *
 * @example
 * findDates("See you on March 5th at 9 pm.").map(({ value }) => value); // ["03-05", "9pm"]
 * findDates("What did I say in May 2023?")[0]?.span; // from 1 May to 1 June 2023
 */
export function findDates(text: string, { now }: DateOptions = {}): FoundDate[] {
  const found: FoundDate[] = [];
  if (!ANY_FORM.test(text)) return found;
  const today = now === undefined ? undefined : new Date(now);
  let left = text;
  for (const { kind, pattern, resolve } of FORMS) {
    const matches = matchesOf(pattern, left);
    for (const { 0: said, index: start, groups = {} } of matches) {
      if (kind === "day" && startOfDay(groups) === undefined) continue;
      const span = resolve(groups, today);
      const weekday = kind === "day" ? groups.weekday?.toLowerCase() : undefined;
      const value = comparable(kind, said, groups);
      found.push(omitUndefined({ kind, value, weekday, start, end: start + said.length, span }));
    }
    left = withoutMatches(left, matches);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The matches of a pattern that do not begin within a word. A lookbehind for that takes far longer to compile. */
function matchesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    // Two code units: the last letter may be outside of the basic plane.
    if (WORD_END.test(text.slice(Math.max(0, match.index - 2), match.index))) pattern.lastIndex = match.index + 1;
    else matches.push(match);
  }
  return matches;
}

/** The text with spaces instead of the matches. */
function withoutMatches(text: string, matches: readonly RegExpExecArray[]): string {
  if (matches.length === 0) return text;
  const pieces: string[] = [];
  let end = 0;
  for (const { 0: said, index } of matches) {
    pieces.push(text.slice(end, index), " ".repeat(said.length));
    end = index + said.length;
  }
  return pieces.join("") + text.slice(end);
}

function comparable(kind: DateKind, said: string, { weekday = "", month, day = "", year = "" }: Groups): string {
  if (kind === "day") return `${pad(monthOf(month) + 1)}-${pad(Number(day))}`;
  if (kind === "weekday") return weekday.toLowerCase();
  if (kind === "month") return `${year}-${pad(monthOf(month) + 1)}`;
  const plain = said.toLowerCase();
  return kind === "time" ? plain.replace(/[\s.]+/g, "") : plain.replace(/\s+/g, " ");
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}

/** Zero-based number of a month; −1 if it is not a month. */
function monthOf(month = ""): number {
  if (/^\d/.test(month)) return Number(month) <= 12 ? Number(month) - 1 : -1;
  return MONTHS.findIndex((name) => name.slice(0, 3).toLowerCase() === month.slice(0, 3).toLowerCase());
}

/** The start of a day that exists in the calendar; without a year, in a leap year. */
function startOfDay({ year = "2024", month, day = "" }: Groups): number | undefined {
  const from = Date.UTC(Number(year), monthOf(month), Number(day));
  const date = new Date(from);
  return monthOf(month) >= 0 && date.getUTCMonth() === monthOf(month) && date.getUTCDate() === Number(day)
    ? from
    : undefined;
}

function resolveDay(groups: Groups, now: Date | undefined): TimeSpan | undefined {
  const { day = "", last = day } = groups;
  const thisYear = now?.getUTCFullYear() ?? 0;
  const years = groups.year === undefined ? (now === undefined ? [] : [thisYear, thisYear - 1]) : [groups.year];
  const days = years.flatMap((year) => startOfDay({ ...groups, year: String(year) }) ?? []);
  const from = groups.year === undefined ? days.find((each) => each <= (now?.getTime() ?? 0)) : days[0];
  const length = Math.max(1, Number(last) - Number(day) + 1);
  return from === undefined ? undefined : { from, to: from + length * DAY_MS };
}

/** A span of whole months. `month` may be negative or above 11. */
function monthSpan(year: number, month: number, count: number): TimeSpan {
  return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + count, 1) };
}

function resolveMonth({ year, month }: Groups): TimeSpan | undefined {
  return monthSpan(Number(year), monthOf(month), 1);
}

function resolveYear({ year }: Groups): TimeSpan | undefined {
  return monthSpan(Number(year), 0, 12);
}

function resolveLastMonth({ month }: Groups, now: Date | undefined): TimeSpan | undefined {
  if (now === undefined) return undefined;
  const isPast = monthOf(month) <= now.getUTCMonth();
  return monthSpan(now.getUTCFullYear() - (isPast ? 0 : 1), monthOf(month), 1);
}

/** A span of days that starts a number of days before today. */
function daysAgo(before: number, count: number, now: Date | undefined): TimeSpan | undefined {
  if (now === undefined) return undefined;
  const from = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - before);
  return { from, to: from + count * DAY_MS, isRelative: true };
}

function resolveAgo({ count = "", unit = "" }: Groups, now: Date | undefined): TimeSpan | undefined {
  if (now === undefined) return undefined;
  const number = ["", "a", "two", "three", "four", "five", "six"].indexOf(count.toLowerCase());
  const many = number > 0 ? number : Number(count);
  if (/^day/i.test(unit)) return daysAgo(many, 1, now);
  if (/^week/i.test(unit)) return daysAgo(7 * many + 3, 7, now);
  const span = /^month/i.test(unit)
    ? monthSpan(now.getUTCFullYear(), now.getUTCMonth() - many, 1)
    : monthSpan(now.getUTCFullYear() - many, 0, 12);
  return { ...span, isRelative: true };
}

function resolveThisOrLast({ which = "", unit = "" }: Groups, now: Date | undefined): TimeSpan | undefined {
  if (now === undefined) return undefined;
  const back = /^last/i.test(which) ? 1 : 0;
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  if (/^year/i.test(unit)) return { ...monthSpan(year - back, 0, 12), isRelative: true };
  if (/^month/i.test(unit)) return { ...monthSpan(year, month - back, 1), isRelative: true };
  // A week begins on Monday.
  return daysAgo(((now.getUTCDay() + 6) % 7) + 7 * back, 7, now);
}

function resolveLastWeekday({ weekday = "" }: Groups, now: Date | undefined): TimeSpan | undefined {
  const number = WEEKDAYS.findIndex((name) => name.toLowerCase() === weekday.toLowerCase());
  return now === undefined ? undefined : daysAgo(((now.getUTCDay() - number + 6) % 7) + 1, 1, now);
}

/**
 * A day in the words that queries use for it. Search entries store these words.
 *
 * @example
 * dateWords(Date.UTC(2023, 4, 8)); // "Monday 8 May 2023"
 */
export function dateWords(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  return `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
