import type { TextSpan } from "../extract/extract-turn.ts";
import { stem } from "../recall/words/stem.ts";

type ValueKind = "money" | "percent" | "time" | "date" | "count";

/** Something that a sentence gives as how much, how many or when. */
export interface Value extends TextSpan {
  readonly kind: ValueKind;
  /** In one form, so that two of them can be compared. */
  readonly value: string;
  /** What is counted, by its stem. */
  readonly unit?: string;
}

const MONTH =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?";
const WEEKDAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const CLOCK = String.raw`\d{1,2}(?::\d\d)?\s?[ap]\.?m\b\.?|\d{1,2}:\d\d\b`;
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?\b`;
const PERIOD = "(?:week|weekend|month|quarter|year|spring|summer|autumn|fall|winter|morning|afternoon|evening)";

const FORMS: readonly (readonly [kind: ValueKind, pattern: RegExp])[] = [
  ["money", /[$€£]\s?\d[\d,]*(?:\.\d+)?\s?(?:[km]\b|bn\b|million\b|billion\b|thousand\b)?(?:\/\p{L}+)?/giu],
  ["percent", /(?<!\d)\d+(?:\.\d+)?\s?(?:%|percent\b)/gi],
  ["time", new RegExp(String.raw`(?<![\w:])(?:${CLOCK})(?:\s?[-–]\s?(?:${CLOCK}))?`, "gi")],
  [
    "date",
    new RegExp(
      String.raw`\b(?:\d{4}-\d\d-\d\d|(?:${WEEKDAY},? )?${MONTH} ${DAY}(?:\s?[-–]\s?${DAY})?(?:,? \d{4})?|${DAY} (?:of )?${MONTH}(?:,? \d{4})?|${MONTH} \d{4}|(?:next |this |last )?${WEEKDAY}|Q[1-4](?: \d{4})?)`,
      "g",
    ),
  ],
  [
    "date",
    new RegExp(
      String.raw`\b(?:today|tomorrow|tonight|(?:next|this) ${PERIOD}|(?:by )?end of (?:the )?(?:day|week|month|quarter|year)|in \d+ (?:minutes?|hours?|days?|weeks?|months?)|\d+ (?:minutes?|hours?|days?|weeks?|months?) away)\b`,
      "gi",
    ),
  ],
  ["count", /(?<![\w#$€£.:/-])\d[\d,]*(?:\.\d+)?(?![\w%:/])(?:[ -](?=\p{L}))?(?<unit>\p{L}{2,})?/giu],
];

/** What a text gives as amounts, shares, times, dates and counts, in order. */
export function readValues(text: string): Value[] {
  const values: Value[] = [];
  for (const [kind, pattern] of FORMS) {
    for (const match of text.matchAll(pattern)) {
      const value = toValue(kind, match);
      if (!values.some(({ start, end }) => value.start < end && start < value.end)) values.push(value);
    }
  }
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
