import { findDates } from "../../language/dates.ts";
import { stem } from "../../language/stem.ts";
import { isFunctionWord } from "../../language/stop-words.ts";
import type { TextSpan } from "../extract/extract-turn.ts";

type ValueKind = "money" | "percent" | "time" | "date" | "year" | "count";

/** An amount, a count, a date or a time in a sentence. */
export interface Value extends TextSpan {
  readonly kind: ValueKind;
  /** In a normal form, so that two values can be compared. */
  readonly value: string;
  /** Stem of the counted noun. */
  readonly unit?: string;
}

/** Weekdays in German, Spanish, French, Portuguese, Chinese and Japanese. English dates are read by `findDates`. */
const WEEKDAY =
  /(?<!\p{L})(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|(?:segunda|terça|quarta|quinta|sexta)(?:-feira|(?=[.,;!?]|$)))(?!\p{L})|(?:周|星期|礼拜)[一二三四五六日天]|[月火水木金土日]曜日?/giu;

/** Matched before dates and times; counts are matched after them. */
const AMOUNTS: readonly (readonly [kind: ValueKind, pattern: RegExp])[] = [
  ["money", /[$€£]\s?\d[\d,]*(?:\.\d+)?\s?(?:[km]\b|bn\b|million\b|billion\b|thousand\b)?(?:\/\p{L}+)?/giu],
  ["percent", /(?<!\d)\d+(?:\.\d+)?\s?(?:%|percent\b)/gi],
  ["date", WEEKDAY],
];
const COUNT = /(?<![\w#$€£.:/-])\d[\d,]*(?:\.\d+)?(?![\w%:/])(?:[ -](?=\p{L}))?(?<unit>\p{L}{2,})?/giu;
/** Times before now, which no plan can be for. */
const PAST = /^(?:yesterday|last )|ago$/;

/** The amounts, shares, times, dates and counts in a text, in order. */
export function readValues(text: string): Value[] {
  const values: Value[] = [];
  // Characters of values that were found: comparing each value with all others costs the square of their number.
  const taken = new Uint8Array(text.length);
  const add = (value: Value) => {
    if (taken.subarray(value.start, value.end).includes(1)) return;
    taken.fill(1, value.start, value.end);
    values.push(value);
  };
  for (const [kind, pattern] of AMOUNTS) for (const match of text.matchAll(pattern)) add(toValue(kind, match));
  for (const { kind, value, start, end } of findDates(text)) {
    if (kind === "relative" && PAST.test(value)) continue;
    const valueKind = kind === "time" || kind === "year" ? kind : "date";
    add({ kind: valueKind, value: normal(valueKind, text.slice(start, end)), start, end });
  }
  for (const match of text.matchAll(COUNT)) add(toValue("count", match));
  return values.sort((a, b) => a.start - b.start);
}

function toValue(kind: ValueKind, { 0: said, index, groups }: RegExpExecArray): Value {
  if (kind !== "count") return { kind, value: normal(kind, said), start: index, end: index + said.trimEnd().length };
  const following = groups?.unit;
  const unit = following === undefined || isFunctionWord(following.toLowerCase()) ? undefined : following;
  const number = said
    .slice(0, said.length - (following?.length ?? 0))
    .trimEnd()
    .replace(/-$/, "");
  const found = { kind, value: number.replaceAll(",", ""), start: index, end: index + number.length };
  return unit === undefined ? found : { ...found, unit: stem(unit.toLowerCase()) };
}

/** `$15k` is `$15,000`; `March 18th` is `March 18`. */
function normal(kind: ValueKind, said: string): string {
  const plain = said
    .trim()
    .toLowerCase()
    .replace(/[.,]/g, (sign) => (kind === "money" && sign === "." ? "." : ""))
    .replace(/\s+/g, " ");
  if (kind === "date") return plain.replace(/(\d)(?:st|nd|rd|th)\b/g, "$1");
  if (kind === "time") return toClock(plain.replaceAll(" ", ""));
  if (kind !== "money") return plain.replaceAll(" ", "");
  return plain
    .replaceAll(" ", "")
    .replace(/(?<!\d)(\d+(?:\.\d+)?)(k|thousand)\b/, (_all, number: string) => `${Number(number) * 1_000}`)
    .replace(/(?<!\d)(\d+(?:\.\d+)?)(m|million)\b/, (_all, number: string) => `${Number(number) * 1_000_000}`);
}

/** `3pm` is `15:00`. */
function toClock(time: string): string {
  const [, hour = "", minute = "00", half] = /^(\d{1,2})(?::(\d\d))?([ap])?m?$/.exec(time) ?? [];
  if (hour === "") return time;
  const noon = half === "p" ? 12 : 0;
  return `${half === undefined ? Number(hour) : (Number(hour) % 12) + noon}:${minute}`;
}

/** True if two values answer the same question: amount, count of the same noun, time, or date. */
export function areAlike(a: Value, b: Value): boolean {
  return a.kind === b.kind && (a.kind !== "count" || a.unit === undefined || b.unit === undefined || a.unit === b.unit);
}
