/** A stretch of time that a question names, from `from` up to and without `to`, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Named by its distance from today: "last week". The words of such a date stand nowhere else. */
  readonly isRelative?: true;
}

const DAY = 86_400_000;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH = "(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";
const WEEKDAYS = "sun mon tue wed thu fri sat".split(" ");

type Groups = Readonly<Record<string, string | undefined>>;
type Reader = readonly [pattern: RegExp, read: (groups: Groups, now: Date) => Span | undefined];

/** The first that fits is taken, and what it read is not read again. */
const READERS: readonly Reader[] = [
  [
    /\b(?<year>\d{4})-(?<number>\d{2})-(?<day>\d{2})\b/g,
    ({ year, number, day }) => dayOf(year, Number(number) - 1, day),
  ],
  [
    new RegExp(`\\b(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH},? (?<year>\\d{4})\\b`, "gi"),
    ({ year, month, day }) => dayOf(year, monthOf(month), day),
  ],
  [
    new RegExp(`\\b${MONTH} (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})\\b`, "gi"),
    ({ year, month, day }) => dayOf(year, monthOf(month), day),
  ],
  [
    new RegExp(`\\b${MONTH},?(?: of)? (?<year>\\d{4})\\b`, "gi"),
    ({ year, month }) => months(Number(year), monthOf(month), 1),
  ],
  [
    new RegExp(
      `\\b(?:${MONTH} (?<day>\\d{1,2})(?:st|nd|rd|th)?|(?<before>\\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<later>[a-z]{3})[a-z]*)\\b`,
      "gi",
    ),
    ({ month, day, before, later }, now) => lastDay(now, monthOf(month ?? later), day ?? before),
  ],
  [
    new RegExp(`\\b(?:in|during|last|since|this) ${MONTH}(?![a-z])`, "gi"),
    ({ month }, now) => lastMonth(now, monthOf(month)),
  ],
  [/\b(?:in|during|since) (?<year>(?:19|20)\d{2})\b/g, ({ year }) => months(Number(year), 0, 12)],
  [/\b(?<word>today|yesterday)\b/gi, ({ word }, now) => days(now, word?.toLowerCase() === "today" ? 0 : 1, 1)],
  [
    /\b(?<count>\d+|a|two|three|four|five|six) (?<unit>day|week|month|year)s? ago\b/gi,
    ({ count, unit }, now) => ago(now, count, unit),
  ],
  [/\b(?<which>last|this) (?<unit>week|month|year)\b/gi, ({ which, unit }, now) => unitOf(now, which, unit)],
  [/\blast (?<weekday>sun|mon|tue|wed|thu|fri|sat)[a-z]*day\b/gi, ({ weekday }, now) => lastWeekday(now, weekday)],
];

/**
 * The days, months and years that a question names, in UTC. A date without a year is the last one before now.
 *
 * @example
 * readDates("What did I say in May 2023?", Date.now()); // from 1 May up to 1 June
 */
export function readDates(text: string, now: number): readonly Span[] {
  const today = new Date(now);
  let left = text;
  return READERS.flatMap(([pattern, read]) => {
    const spans = [...left.matchAll(pattern)].map(({ groups = {} }) => read(groups, today));
    left = left.replace(pattern, " ");
    return spans.filter((span) => span !== undefined);
  });
}

function monthOf(name: string | undefined): number {
  return MONTHS.indexOf((name ?? "").slice(0, 3).toLowerCase());
}

/** So many months, from one on that may lie before or behind its year. */
function months(year: number, month: number, count: number): Span {
  return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + count, 1) };
}

function dayOf(year: string | undefined, month: number, day: string | undefined): Span | undefined {
  const from = Date.UTC(Number(year), month, Number(day));
  const isDay = month >= 0 && month < 12 && new Date(from).getUTCDate() === Number(day);
  return isDay ? { from, to: from + DAY } : undefined;
}

function lastDay(now: Date, month: number, day: string | undefined): Span | undefined {
  const span = dayOf(String(now.getUTCFullYear()), month, day);
  if (span === undefined || span.from <= now.getTime()) return span;
  return dayOf(String(now.getUTCFullYear() - 1), month, day);
}

function lastMonth(now: Date, month: number): Span {
  const isPast = month <= now.getUTCMonth();
  return months(now.getUTCFullYear() - (isPast ? 0 : 1), month, 1);
}

/** So many days, beginning so many before today. */
function days(now: Date, before: number, count: number): Span {
  const from = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - before);
  return { from, to: from + count * DAY, isRelative: true };
}

function ago(now: Date, count: string | undefined, unit: string | undefined): Span {
  const words = ["", "a", "two", "three", "four", "five", "six"];
  const number = words.indexOf((count ?? "").toLowerCase());
  const many = number > 0 ? number : Number(count);
  if (unit?.toLowerCase() === "day") return days(now, many, 1);
  if (unit?.toLowerCase() === "week") return days(now, 7 * many + 3, 7);
  if (unit?.toLowerCase() === "month") {
    return { ...months(now.getUTCFullYear(), now.getUTCMonth() - many, 1), isRelative: true };
  }
  return { ...months(now.getUTCFullYear() - many, 0, 12), isRelative: true };
}

function unitOf(now: Date, which: string | undefined, unit: string | undefined): Span {
  const back = which?.toLowerCase() === "last" ? 1 : 0;
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  if (unit?.toLowerCase() === "year") return { ...months(year - back, 0, 12), isRelative: true };
  if (unit?.toLowerCase() === "month") return { ...months(year, month - back, 1), isRelative: true };
  // A week begins on Monday.
  return days(now, ((now.getUTCDay() + 6) % 7) + 7 * back, 7);
}

function lastWeekday(now: Date, name: string | undefined): Span {
  const weekday = WEEKDAYS.indexOf((name ?? "").toLowerCase());
  return days(now, ((now.getUTCDay() - weekday + 6) % 7) + 1, 1);
}
