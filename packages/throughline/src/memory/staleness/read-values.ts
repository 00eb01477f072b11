import { findDates } from "../../language/dates.ts";
import { stem } from "../../language/stem.ts";
import type { TextSpan } from "../extract/extract-turn.ts";

type ValueKind = "money" | "percent" | "time" | "date" | "count";

/** Something that a sentence gives as how much, how many or when. */
export interface Value extends TextSpan {
  readonly kind: ValueKind;
  /** In one form, so that two of them can be compared. */
  readonly value: string;
  /** What is counted, by its stem. */
  readonly unit?: string;
}

/** Looked for before dates and times, and counts after them. */
const AMOUNTS: readonly (readonly [kind: ValueKind, pattern: RegExp])[] = [
  ["money", /[$€£]\s?\d[\d,]*(?:\.\d+)?\s?(?:[km]\b|bn\b|million\b|billion\b|thousand\b)?(?:\/\p{L}+)?/giu],
  ["percent", /(?<!\d)\d+(?:\.\d+)?\s?(?:%|percent\b)/gi],
];
const COUNT = /(?<![\w#$€£.:/-])\d[\d,]*(?:\.\d+)?(?![\w%:/])(?:[ -](?=\p{L}))?(?<unit>\p{L}{2,})?/giu;
/** Times before now: nothing is planned for them. */
const PAST = /^(?:yesterday|last )|ago$/;

/** What a text gives as amounts, shares, times, dates and counts, in order. */
export function readValues(text: string): Value[] {
  const values: Value[] = [];
  const add = (value: Value) => {
    if (!values.some(({ start, end }) => value.start < end && start < value.end)) values.push(value);
  };
  for (const [kind, pattern] of AMOUNTS) for (const match of text.matchAll(pattern)) add(toValue(kind, match));
  for (const { kind, value, start, end } of findDates(text)) {
    if (kind === "year" || (kind === "relative" && PAST.test(value))) continue;
    const said = text.slice(start, end);
    add({
      kind: kind === "time" ? "time" : "date",
      value: normal(kind === "time" ? "time" : "date", said),
      start,
      end,
    });
  }
  for (const match of text.matchAll(COUNT)) add(toValue("count", match));
  return values.sort((a, b) => a.start - b.start);
}

function toValue(kind: ValueKind, { 0: said, index, groups }: RegExpExecArray): Value {
  if (kind !== "count") return { kind, value: normal(kind, said), start: index, end: index + said.trimEnd().length };
  const unit = groups?.unit;
  const number = said
    .slice(0, said.length - (unit?.length ?? 0))
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
  if (kind !== "money") return plain.replaceAll(" ", "");
  return plain
    .replaceAll(" ", "")
    .replace(/(?<!\d)(\d+(?:\.\d+)?)(k|thousand)\b/, (_all, number: string) => `${Number(number) * 1_000}`)
    .replace(/(?<!\d)(\d+(?:\.\d+)?)(m|million)\b/, (_all, number: string) => `${Number(number) * 1_000_000}`);
}

/** Whether two values answer the same question: how much, how many of what, at what time, on which day. */
export function areAlike(a: Value, b: Value): boolean {
  return a.kind === b.kind && (a.kind !== "count" || a.unit === undefined || b.unit === undefined || a.unit === b.unit);
}
