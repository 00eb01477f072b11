import type { Word } from "../../../language/parse-words.ts";
import { isStopWord } from "../../../language/stop-words.ts";
import { wordList as list, wordSet } from "../../../language/word-lists.ts";

/** So and so many of something; a range, where it is not said exactly. */
export interface Quantity {
  readonly low: number;
  readonly high: number;
  /** `$`, `%`, `ms`, or the base of what is counted. */
  readonly unit: string;
  readonly at: number;
}

const TENS = list("twenty thirty forty fifty sixty seventy eighty ninety");
const NUMBERS = new Map<string, number>([
  ...list(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
  ).map((word, value) => [word, value] as const),
  ...TENS.map((word, nth) => [word, 20 + 10 * nth] as const),
]);
const FIGURE = /^([$£€]?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?(%|[a-z]{1,3})?$/;
const SCORE = /^(\d+)(\/\d+)$/;
const MORE = wordSet("over above least exceed beyond");
const FEWER = wordSet("under below most within");
const ABOUT = wordSet("about around approximately almost nearly roughly");
/** Ends of numbers that are no quantities: `3pm`, `2nd`. */
const NO_UNIT = wordSet("am pm st nd rd th s");
const NO_NOUN = wordSet("times percent when while because year-old am pm");
const MARGIN = 0.1;

/** The quantities of a run of words, with what they count. */
export function readQuantities(words: readonly Word[]): readonly Quantity[] {
  return words.flatMap(({ text }, at): readonly Quantity[] => {
    const figure = readFigure(text);
    // `from 70 to 85`: what it is now is said last.
    if (figure === undefined || (words[at + 1]?.text === "to" && isFigure(words[at + 2]?.text))) return [];
    const unit = figure.unit === "" ? (countedBy(words, at) ?? numberedBy(words, at)) : figure.unit;
    return unit === undefined || NO_UNIT.has(unit) ? [] : [{ ...bounded(words, at, figure), unit, at }];
  });
}

interface Figure {
  readonly low: number;
  readonly high: number;
  readonly unit: string;
}

function isFigure(text: string | undefined): boolean {
  return text !== undefined && readFigure(text) !== undefined;
}

function readFigure(text: string): Figure | undefined {
  const value = NUMBERS.get(text);
  if (value !== undefined) return { low: value, high: value, unit: "" };
  const [, points, outOf] = SCORE.exec(text) ?? [];
  if (points !== undefined && outOf !== undefined) return { low: Number(points), high: Number(points), unit: outOf };
  const [, sign = "", from, to, unit = ""] = FIGURE.exec(text) ?? [];
  if (from === undefined) return undefined;
  const low = Number(from.replaceAll(",", ""));
  return { low, high: to === undefined ? low : Math.max(low, Number(to)), unit: sign || unit };
}

/** `more than`, `at most`, `about`: the range that is meant. */
function bounded(words: readonly Word[], at: number, { low, high }: Figure): { low: number; high: number } {
  const [earlier, before] = [words[at - 2]?.text ?? "", words[at - 1]?.text ?? ""];
  if (MORE.has(before) || (before === "than" && earlier === "more")) return { low, high: Number.POSITIVE_INFINITY };
  if (FEWER.has(before) || (before === "than" && (earlier === "less" || earlier === "fewer"))) return { low: 0, high };
  if (before === "to" && earlier === "up") return { low: 0, high };
  return ABOUT.has(before) ? { low: low * (1 - MARGIN), high: high * (1 + MARGIN) } : { low, high };
}

/** `port 8080`: the noun before a number that counts nothing. */
function numberedBy(words: readonly Word[], at: number): string | undefined {
  const before = words[at - 1];
  return before === undefined || isStopWord(before.base, { fillers: true }) || !/^[a-z-]{3,}$/.test(before.text)
    ? undefined
    : before.base;
}

/** The noun behind a number: the last of a short run of words. */
function countedBy(words: readonly Word[], at: number): string | undefined {
  let counted: string | undefined;
  for (const { text, base, isAfterComma } of words.slice(at + 1, at + 4)) {
    if (text === "different" || text === "other" || text === "more") continue;
    if (isAfterComma || isStopWord(base, { fillers: true }) || NO_NOUN.has(text) || !/^[a-z-]{3,}$/.test(text)) break;
    // An age is no length of time.
    counted = text === "old" ? "age" : base;
    if (text.endsWith("s") && text !== "years") break;
  }
  return counted;
}
