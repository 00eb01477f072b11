import { words as list } from "../words/word-list.ts";
import type { Word } from "./read-words.ts";

/** A day, a weekday, a year or a time of day. */
export interface SaidDate {
  readonly kind: "day" | "weekday" | "year" | "time";
  readonly value: string;
  readonly at: number;
}

const MONTHS = new Map(
  list("january february march april may june july august september october november december").flatMap((name, nth) => {
    const month = String(nth + 1).padStart(2, "0");
    return [name, name.slice(0, 3), name.slice(0, 4)].map((form) => [form, month] as const);
  }),
);
const WEEKDAYS = new Set(list("monday tuesday wednesday thursday friday saturday sunday"));
const DAY = /^(\d{1,2})(?:st|nd|rd|th)?$/;
const ISO_DAY = /^\d{4}-(\d{2}-\d{2})$/;
const YEAR = /^(?:19|20)\d\d$/;
const TIME = /^(\d{1,2})(:\d\d)?(am|pm)?$/;

/** The dates of a run of words. */
export function readDates(words: readonly Word[]): readonly SaidDate[] {
  return words.flatMap((_, at) => dayAt(words, at) ?? otherAt(words, at) ?? []);
}

/** `march 5`, `5 march`, `2024-03-05`: without the year, which is often left out. */
function dayAt(words: readonly Word[], at: number): SaidDate | undefined {
  const [before, text, after] = [words[at - 1]?.text ?? "", words[at]?.text ?? "", words[at + 1]?.text ?? ""];
  const iso = ISO_DAY.exec(text)?.[1];
  if (iso !== undefined) return { kind: "day", value: iso, at };
  const month = MONTHS.get(text);
  if (month === undefined) return undefined;
  const day = DAY.exec(after)?.[1] ?? DAY.exec(before)?.[1];
  return day === undefined ? undefined : { kind: "day", value: `${month}-${day.padStart(2, "0")}`, at };
}

function otherAt(words: readonly Word[], at: number): SaidDate | undefined {
  const [before, text, after] = [words[at - 1]?.text ?? "", words[at]?.text ?? "", words[at + 1]?.text ?? ""];
  if (WEEKDAYS.has(text)) return { kind: "weekday", value: text, at };
  if (YEAR.test(text) && /^(?:in|since|of|from|until)$/.test(before)) return { kind: "year", value: text, at };
  const [, hour, minutes = "", half = /^[ap]m$/.test(after) ? after : ""] = TIME.exec(text) ?? [];
  if (hour === undefined || (half === "" && minutes === "")) return undefined;
  return { kind: "time", value: `${hour}${minutes}${half}`, at };
}
