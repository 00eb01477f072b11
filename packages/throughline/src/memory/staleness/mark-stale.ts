import { omitUndefined, sameJson } from "../../internal/json.ts";
import { stripInvisible } from "../../internal/text.ts";
import { splitSentences } from "../../language/sentences.ts";
import type { Memory, MemoryLevels, StaleMark, StaleSpan, Utterance } from "../../ports/memory.ts";
import type { TextSpan } from "../extract/extract-turn.ts";
import { areAlike, readValues, type Value } from "../reconcile/read-values.ts";
import type { Outdated } from "./find-outdated.ts";

/** The turn or memory that outdates a text, and its time. */
interface Cause {
  readonly since: number;
  readonly by?: string;
}

/** Adds a mark to a turn. If too few words are left, the whole turn is outdated. Existing marks keep their time. */
export function markStale(turn: Utterance, { spans }: Outdated, { since, by }: Cause): Utterance {
  const known = marksOf(turn);
  const isKnown = known.some((mark) => mark.by === by && sameJson(mark.spans ?? [], spans ?? []));
  return isKnown ? turn : withMarks(turn, [...known, omitUndefined({ by, since, spans })]);
}

/** Marks the parts of a new turn that repeat the corrected statement. */
export function markOwnSpans(turn: Utterance): Utterance {
  const spans = outdatedSpans(turn.text);
  const { id, at: since = turn.createdAt } = turn;
  return spans.length === 0 ? turn : markStale(turn, { turnId: id, spans }, { since, by: id });
}

/** A turn without the marks of some turns or memories; the turn itself if there are none. */
export function withoutMarksBy(turn: Utterance, causes: ReadonlySet<string>): Utterance {
  const { marks = [] } = turn;
  const kept = marks.filter(({ by }) => by === undefined || !causes.has(by));
  return kept.length === marks.length ? turn : withMarks(turn, kept);
}

/** All marks of a turn. The cause of marks from older versions is unknown. */
function marksOf({ marks, staleSpans = [], staleSince }: Utterance): readonly StaleMark[] {
  if (marks !== undefined) return marks;
  const parts = staleSpans.map(({ start, end, since }): StaleMark => ({ since, spans: [{ start, end }] }));
  return staleSince === undefined ? parts : [...parts, { since: staleSince }];
}

/** A turn with exactly these marks, and the fields derived from them. */
function withMarks(turn: Utterance, marks: readonly StaleMark[]): Utterance {
  let staleSpans: readonly StaleSpan[] = [];
  let staleSince: number | undefined;
  for (const { since, spans } of marks) {
    if (staleSince !== undefined) break;
    if (spans !== undefined) staleSpans = join([...staleSpans, ...spans.map((span) => ({ ...span, since }))]);
    if (spans === undefined || currentText(turn.text, staleSpans) === "") staleSince = since;
  }
  return omitUndefined({
    ...turn,
    staleSince,
    staleSpans: staleSpans.length === 0 ? undefined : staleSpans,
    marks: marks.length === 0 ? undefined : marks,
  });
}

/** Merges overlapping spans. The earliest time counts. */
function join(spans: readonly StaleSpan[]): readonly StaleSpan[] {
  return joinSpans(spans).map(({ start, end }) => {
    const within = spans.filter((span) => span.start >= start && span.end <= end);
    return { start, end, since: Math.min(...within.map(({ since }) => since)) };
  });
}

/** Longer texts are documents, in which authors do not correct themselves. */
const MAX_TEXT_LENGTH = 1_500;

/**
 * Fast check: without one of these words, none of the rules below matches. Most texts have none, and texts are checked
 * often.
 */
const MAY_CORRECT =
  /\b(?:was|original|previous|prior|earlier|initial|old|wrong|incorrect|outdated|invalid|false|final|settled on|the one|ended up|in the end)/i;

/** The earlier value, followed by the right one. */
const WAS =
  /\b(?:value|figure|number|date|amount|price|budget|estimate|deadline|answer|total) was:? (?<old>[^\n]{2,200}?)(?=[.;](?:\s|$)|$)/gi;
const RIGHT = /\b(?:actual|correct|right|real|new|current|updated|now|is)\b/i;
/** An earlier conclusion that is withdrawn. */
const CONCLUSION = "(?:conclusion|decision|plan|statement|assumption|estimate|answer|calculation|quote|recommendation)";
const QUOTED = new RegExp(
  String.raw`\b(?:previous|earlier|original|prior|old|initial) ${CONCLUSION}[:,]? ['"‘“](?<old>[^"”\n]{3,300}?)['"’”],? (?:was|is|were|has|no longer|needs|does not|doesn't)\b`,
  "gi",
);
const WRONG_DATA =
  /\b(?:wrong|incorrect|outdated|invalid|false) (?:data|value|information|info|figure|number|assumption)s?: (?<old>[^\]\n]{2,200}?)(?=\]|[.;](?:\s|$)|$)/gi;
const VOID = /\b(?:invalidated|superseded|obsolete|no longer valid|withdrawn)\b/i;
const ORIGINAL = new RegExp(String.raw`\boriginal ${CONCLUSION}: (?<old>[^\n]{2,300}?)(?=[.;](?:\s|$)|$)`, "gi");

/** Words of an intermediate and of the final value. */
const STEP = /\b(?:then|moved|pushed|changed|planned|shifted|original(?:ly)?|considered|was)\b/i;
const FINAL = /\b(?:final(?:ly|ized|ised)?|settled on|is the one|ended up|in the end)\b/i;

/**
 * Spans in which a correction repeats the corrected value: "The value was $100. The actual value is $150." Only values
 * that the text itself calls old, wrong or abandoned.
 *
 * @example
 * outdatedSpans("The price was $100. The actual price is $150."); // [{ start: 14, end: 18 }]
 */
export function outdatedSpans(text: string): readonly TextSpan[] {
  if (text.length > MAX_TEXT_LENGTH || !MAY_CORRECT.test(text)) return [];
  return joinSpans([
    ...findAll(text, WAS).filter(({ end }) => RIGHT.test(text.slice(end))),
    ...findAll(text, QUOTED),
    ...findAll(text, WRONG_DATA),
    ...(VOID.test(text) ? findAll(text, ORIGINAL) : []),
    ...stepsBeforeLast(text, readValues(text)),
  ]).map(({ start, end }) => ({ start, end }));
}

function findAll(text: string, pattern: RegExp): TextSpan[] {
  return [...text.matchAll(pattern)].map(({ 0: all, index, groups }) => {
    const old = groups?.old ?? "";
    const start = index + all.lastIndexOf(old);
    return { start, end: start + old.length };
  });
}

/** Intermediate values before a final decision. */
function stepsBeforeLast(text: string, values: readonly Value[]): TextSpan[] {
  const sentences = splitSentences(text);
  const last = sentences.findLast((sentence) => FINAL.test(sentence.text));
  if (last === undefined) return [];
  const decided = values.filter(({ start, end }) => start >= last.start && end <= last.end);
  const before = sentences.filter(({ text: said, end }) => end <= last.start && STEP.test(said));
  return values.filter(
    (value) =>
      before.some(({ start, end }) => value.start >= start && value.end <= end) &&
      decided.some((other) => areAlike(other, value)) &&
      decided.every((other) => other.value !== value.value),
  );
}

const MARK = "[outdated]";
const MARKS = /\[outdated\](?:[\s.,;:!'"()–-]*\[outdated\])+/g;
/** Minimum number of words beside outdated parts. Fewer have no meaning of their own. */
const MIN_WORDS = 3;

/**
 * The current text of a turn: outdated parts are replaced by a mark. The turn itself stays unchanged. Empty if too few
 * words are left.
 *
 * @example
 * currentText("The price was $100. It is $150 now.", [{ start: 14, end: 18 }]); // "The price was [outdated]. It is
 * $150 now."
 */
export function currentText(text: string, spans: readonly TextSpan[]): string {
  if (spans.length === 0) return text;
  let current = "";
  let from = 0;
  for (const { start, end } of joinSpans(spans)) {
    current += text.slice(from, start) + MARK;
    from = end;
  }
  const marked = (current + text.slice(from)).replace(MARKS, MARK);
  const left = marked.replaceAll(MARK, " ").match(/[\p{L}\p{N}]+/gu) ?? [];
  return left.length < MIN_WORDS ? "" : marked;
}

/** Spans in order. Adjacent and overlapping spans are merged. */
export function joinSpans(spans: readonly TextSpan[]): TextSpan[] {
  const joined: TextSpan[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const last = joined.at(-1);
    if (last === undefined || start > last.end) joined.push({ start, end });
    else if (end > last.end) joined[joined.length - 1] = { start: last.start, end };
  }
  return joined;
}

/** The text of a memory at a level (default: its served level), without the parts that it calls outdated itself. */
export function memoryText({ levels, servedLevel }: Memory, level: keyof MemoryLevels = servedLevel ?? "full"): string {
  const text = stripInvisible(levels[level]);
  return currentText(text, outdatedSpans(text)) || text;
}
