import { languageChoice } from "../app/device-settings.ts";

const DATES = {
  time: { timeStyle: "short" },
  day: { day: "numeric", month: "short", year: "numeric" },
  dayOfYear: { day: "numeric", month: "short" },
  month: { month: "long", year: "numeric" },
  monthOfYear: { month: "long" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const numbers = new Map<string | undefined, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();

function formatDate(at: number, form: keyof typeof DATES): string {
  const language = languageChoice.getSnapshot().value;
  const key = `${form} ${language}`;
  const format = dates.get(key) ?? new Intl.DateTimeFormat(language, DATES[form]);
  dates.set(key, format);
  return format.format(at);
}

/** 12,430, in the person's language. */
export function formatNumber(value: number): string {
  const language = languageChoice.getSnapshot().value;
  const format = numbers.get(language) ?? new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  numbers.set(language, format);
  return format.format(value);
}

/** 12,430 tokens */
export function formatTokens(value: number): string {
  return `${formatNumber(value)} ${value === 1 ? "token" : "tokens"}`;
}

/** "1 memory", "12 memories" */
export function formatCount(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** 14:05 */
export function formatTime(at: number): string {
  return formatDate(at, "time");
}

/** 3 Nov 2026 */
export function formatDay(at: number): string {
  return formatDate(at, "day");
}

/** 3 Nov, with the year if it differs from that of `now`. */
export function formatShortDay(at: number, now: number): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return formatDate(at, isThisYear ? "dayOfYear" : "day");
}

/** November, or November 2025. */
export function formatMonth(at: number, hasYear: boolean): string {
  return formatDate(at, hasYear ? "month" : "monthOfYear");
}
