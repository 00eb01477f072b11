import type { Utterance } from "../../ports/memory.ts";
import type { TextSpan } from "../extract/extract-turn.ts";
import { byCancellation, byChoice, byDecision, byStatement } from "./decision-rules.ts";
import { currentText, joinSpans } from "./mark-stale.ts";
import {
  type KnownTurn,
  type Mark,
  type NewTurn,
  type ParsedSentence,
  readKnown,
  readSentences,
  type StalenessRule,
  says,
} from "./parsed-turn.ts";
import { byChange, byDescription, bySubject, byUpdate } from "./value-rules.ts";

/** A turn that is outdated, completely or in parts. */
export interface Outdated {
  readonly turnId: string;
  /** Outdated parts. Missing if the whole turn is outdated. */
  readonly spans?: readonly TextSpan[];
}

const RULES: readonly StalenessRule[] = [
  byDescription,
  byCancellation,
  byUpdate,
  byChange,
  bySubject,
  byChoice,
  byDecision,
  byStatement,
];
/** Roles of machines. Their turns outdate nothing. */
const MACHINES: ReadonlySet<string> = new Set(["assistant", "system", "developer", "tool"]);
/** Maximum distance in turns within which the other side repeats a value. */
const ECHO = 2;
const SHORT_SENTENCE = 8;
const MIN_MARKED_SHARE = 0.3;
const ABOUT_ONESELF = /\b(?:i|i'm|i've|my|we|we're|our)\b/i;

/**
 * Finds earlier turns, or parts of them, that a new turn outdates. Only turns of people outdate others, and only by
 * plain signs: a correction that names the wrong value, an update of the same thing, a cancellation, another value or
 * choice in place of one, or a statement that supersedes one of the same speaker.
 *
 * @example
 * findOutdated(turn("No wait, change that to Thursday."), [turn("Schedule the meeting for next week.")]);
 * // [{ turnId: "…", spans: [{ start: 25, end: 34 }] }]
 */
export function findOutdated(newTurn: Utterance, earlier: readonly Utterance[]): readonly Outdated[] {
  if (MACHINES.has(newTurn.role) || earlier.length === 0) return [];
  const news: NewTurn = { turn: newTurn, sentences: readSentences(newTurn.text) };
  if (news.sentences.length === 0) return [];
  const known = readKnown(newTurn, earlier);
  const marks = new Map<KnownTurn, TextSpan[]>();
  const mark: Mark = (turn, { start, end }, old) => {
    addSpan(marks, turn, { start, end });
    if (old !== undefined) markEchoes(turn, old, known, marks);
  };
  for (const rule of RULES) rule(news, known, mark);
  return [...marks].map(([turn, spans]) => toOutdated(turn, spans));
}

/**
 * Finds turns that state a replaced memory, in the same or in other words.
 *
 * @example
 * findStatement("The meeting is on Friday", turns); // turns that state it
 */
export function findStatement(statement: string, turns: readonly Utterance[]): readonly Outdated[] {
  return turns.flatMap((turn) => {
    const sentences = readSentences(turn.text);
    const spans = sentences.filter((sentence) => !sentence.isOpen && says(sentence, statement));
    return spans.length === 0 ? [] : [toOutdated({ turn, sentences, ago: 0 }, spans)];
  });
}

function addSpan(marks: Map<KnownTurn, TextSpan[]>, turn: KnownTurn, span: TextSpan): void {
  const spans = marks.get(turn);
  if (spans === undefined) marks.set(turn, [span]);
  else spans.push(span);
}

/** Marks repetitions of the old value in nearby turns, such as the other side's "Noted: …". */
function markEchoes(
  { turn, ago }: KnownTurn,
  old: string,
  known: readonly KnownTurn[],
  marks: Map<KnownTurn, TextSpan[]>,
): void {
  const value = plain(old).replace(/^(?:in|at|on|for) /, "");
  if (value.length < 3) return;
  for (const other of known) {
    if (other.turn.role === turn.role || !(Math.abs(ago - other.ago) <= ECHO)) continue;
    for (const { text, isOpen, start, end } of other.sentences) {
      if (!isOpen && includesWords(plain(text), value)) addSpan(marks, other, { start, end });
    }
  }
}

function includesWords(text: string, words: string): boolean {
  return ` ${text} `.includes(` ${words} `);
}

/** Words and figures only, separated by single spaces. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}$%#]+/gu, " ")
    .trim();
}

function toOutdated({ turn, sentences }: KnownTurn, marked: readonly TextSpan[]): Outdated {
  const spans = withRemarks(turn.text, sentences, joinSpans(marked));
  return currentText(turn.text, spans) === "" ? { turnId: turn.id } : { turnId: turn.id, spans };
}

/** Adds the remaining sentences if they only comment on outdated ones: "This is a go!", "Please approve." */
function withRemarks(text: string, sentences: readonly ParsedSentence[], spans: readonly TextSpan[]): TextSpan[] {
  const isMarked = ({ start, end }: TextSpan) => spans.some((span) => span.start <= start && span.end >= end);
  const rest = sentences.filter((sentence) => !isMarked(sentence));
  const marked = sentences.filter(isMarked).reduce((sum, { start, end }) => sum + end - start, 0);
  const isRemark = ({ text: said }: ParsedSentence) =>
    said.split(/\s+/).length <= SHORT_SENTENCE && !ABOUT_ONESELF.test(said);
  if (marked === 0 || marked / text.length < MIN_MARKED_SHARE || !rest.every(isRemark)) return [...spans];
  return joinSpans([...spans, ...rest]);
}
