import { foldText } from "../../language/phrases.ts";
import { isCorrection } from "../../language/rule-markers.ts";
import { type Sentence, splitSentences } from "../../language/sentences.ts";
import { isUnspaced } from "../../language/words.ts";
import type { FactCategory } from "../../ports/memory.ts";
import type { TextSpan } from "./extract-turn.ts";
import { readSignals, type SignalName } from "./signals.ts";

/** A statement that holds beyond the moment. */
export interface Statement extends TextSpan {
  /** Start of the sentence before it, if a pronoun in the statement refers to that. */
  readonly contextStart?: number;
  readonly category: FactCategory;
  /** Sum of the weights of its signals. */
  readonly score: number;
}

/** The least score of a statement that is kept. */
const MIN_SCORE = 1.5;
/** A long text is more often a task description or pasted than a statement about its author. */
const LONG_TEXT = 800;
const LONG_TEXT_WEIGHT = -0.75;
const CORRECTION_WEIGHT = 0.25;
/** Characters. Longer sentences are not statements of one fact. */
const MAX_LENGTH = 400;
const MIN_WORDS = 2;
/** A statement of fewer words needs its context, unless it is a rule in itself. */
const MIN_RULE_WORDS = 4;
const SHORT = /^(?:always|never|stop|no|immer|nie|niemals|siempre|nunca|toujours|jamais|sempre) \S+ \S+$/i;
const MIN_UNSPACED_LENGTH = 5;
/** Words that may stand before a statement without being part of it. */
const LEAD =
  /^(?:[\s\-*•>(]|\d{1,2}[.)]\s|(?:no|nah|yes|well|then|y|e|et)[,:.!…]\s*|(?:ok(?:ay)?|yeah|yep|yup|hey|hi|hello|so|and|but|also|btw|fyi|anyway|lol|oh|ah|hmm|actually|by the way|just so you know|remember that|remember,|por cierto|übrigens|au fait|aber|und|pero|mais|mas)(?:[,:.!…]\s*|\s+))+/iu;
/** Words that may stand after it. */
const TRAIL = /,? (?:by the way|btw|fyi|though|lol|thanks|thx)$/iu;
/** Where a sentence may be cut: what stands on either side can be said without the other. */
const CUT =
  /[;；，]\s*|\s+[-–—]+\s+|\.{3,}\s*|…\s*|,\s+(?=(?:so|but|and|then|or|because|can|could|would|please|pls|how|what|let'?s|i|i'm|im|i've|we|she|he|they|you|it|need|don'?t|kannst|bitte|aber|wir|ich|puedes|por favor|pero|tu peux|mais|pode|mas)\s)/giu;
/** Where a second statement of the same person begins: "My name is Ada and I live in Rome". */
const COORDINATION = /,?\s+and\s+(?=(?:i|i['’]m|i['’]ve|im|my|our|we)\s)/giu;
const COMMA = /[,;，]\s*|\s+[-–—]+\s+|\.{3,}\s*|…\s*/gu;
/** A line of a diff or a comment in code. */
const CODE_LINE = /^(?:[+#]|-\s*\/\/|\/\/|\/\*)/;
const CODE_MARKS = /[{}[\]=<>;|\\$]/g;
/** A sentence about code may have one such mark in this many characters. */
const CHARACTERS_PER_MARK = 8;
const IMPERSONAL_WORDS = 30;
const PERSONAL = /\b(?:i|i'm|im|i'd|i've|we|we're|our|us|my|me|you|your|u|please|pls|let'?s|can)\b/i;
/** A pronoun among the first words, or no subject: something said before is meant. */
const REFERS =
  /^(?:(?:[^\s,;:]+ ){0,2}(?:it|its|it's|they|them|he|she|there|both|this|that|those|these)(?=[\s.,;!]|$)(?! (?:repo|repository|project|codebase|team|company)\b)|(?:must|should|needs? to|has to)\b)/i;
const MAX_CONTEXT = 160;
/** How a request to the assistant begins. */
const REQUEST =
  /^(?:(?:please|bitte|por favor|just),? )?(?:always|never|don'?t|do not|stop|use|prefer|avoid|make|keep|no|from now|in future|when you|answer|reply|write|remember to|i|i'm|my|immer|nie|niemals|siempre|nunca|toujours|jamais|sempre)\b/iu;
/** Asks to confirm what stands before it. */
const TAG =
  /^(?:right|ok(?:ay)?|correct|yes|no|or|isn'?t it|don'?t we|oder|nicht wahr|verdad|no es así|non|n'est-ce pas|né|certo)\s*\?/iu;
/** Questions, and lines that only announce what follows. */
const OPEN_END = /[?？؟:：][\s"')\]”’*_]*$/u;
const POLICY: readonly SignalName[] = ["duty", "practice"];
const POLICY_WEIGHT = 1;
const MAX_ANSWER_WORDS = 8;
const NO_ANSWER: readonly SignalName[] = ["moment", "hedge", "asked", "reported", "fault"];
/** Signals of statements that are complete in a few words. */
const PLAIN: readonly SignalName[] = ["person", "preference", "decision", "practice", "manner"];
/** These govern what stands beside them, so they are not cut off. */
const GOVERNING: readonly SignalName[] = ["condition", "hedge", "reported", "reason"];

/** Statements in a person's own words that hold beyond the moment, in order. */
export function findStatements(own: string): Statement[] {
  const isLong = own.trim().length > LONG_TEXT;
  if (isImpersonal(own)) return [];
  const sentences = splitSentences(own, { anyCase: true });
  return sentences.flatMap((sentence, at) => {
    if (sentence.text.length > MAX_LENGTH || isCode(sentence.text)) return [];
    const parts = splitAt(own, sentence, COORDINATION).flatMap((part) => readStatement(own, part, isLong) ?? []);
    const whole = readStatement(own, sentence, isLong);
    const found = parts.length > 1 || whole === undefined ? parts : [whole];
    return found.map((statement) => {
      const contextStart = findContext(own, statement, sentences[at - 1]);
      return contextStart === undefined ? statement : { ...statement, contextStart };
    });
  });
}

/** Whether a few words answer a question for good: "yes, always". */
export function isLastingAnswer(own: string): boolean {
  const text = own.trim();
  if (text === "" || text.split(/\s+/, MAX_ANSWER_WORDS + 1).length > MAX_ANSWER_WORDS || OPEN_END.test(text))
    return false;
  const signals = readSignals(foldText(text));
  return signals.has("lasting") && !NO_ANSWER.some((name) => signals.has(name));
}

function readStatement(own: string, sentence: TextSpan, isLong: boolean): Statement | undefined {
  const span = trimSentence(own, sentence);
  const judged = span === undefined ? undefined : judge(own.slice(span.start, span.end), isLong);
  return span === undefined || judged === undefined ? undefined : { ...span, ...judged };
}

/** The sentence before, in the same paragraph, if one of the first words of a statement refers to it. */
function findContext(own: string, { start, end }: TextSpan, before: Sentence | undefined): number | undefined {
  const isNear =
    before !== undefined && before.text.length <= MAX_CONTEXT && !/\n\s*\n/.test(own.slice(before.end, start));
  return isNear && !/[?？]$/u.test(before.text) && REFERS.test(own.slice(start, end)) ? before.start : undefined;
}

/** A text of some length in which nobody says "I", "we" or "you" was written elsewhere: a review, a report, a log. */
function isImpersonal(own: string): boolean {
  return (
    own.trim().split(/\s+/, IMPERSONAL_WORDS).length === IMPERSONAL_WORDS && /\bthe\b/i.test(own) && !PERSONAL.test(own)
  );
}

function isCode(sentence: string): boolean {
  const marks = sentence.match(CODE_MARKS)?.length ?? 0;
  return CODE_LINE.test(sentence) || marks * CHARACTERS_PER_MARK > sentence.length;
}

interface Piece extends TextSpan {
  readonly score: number;
  readonly isFixed: boolean;
}

/** A sentence without the requests and remarks before and after its statement. */
function trimSentence(own: string, { start, end }: TextSpan): TextSpan | undefined {
  const pieces = splitPieces(own, { start, end }).map((span) => toPiece(own.slice(span.start, span.end), span));
  const isQuestion = OPEN_END.test(own.slice(start, end));
  const kept = isQuestion ? withoutQuestion(own, pieces) : pieces;
  const first = kept.findIndex(isKept);
  const last = kept.findLastIndex(isKept);
  const [from, to] = [kept[first], kept[last]];
  if (from === undefined || to === undefined) return undefined;
  const said = own.slice(from.start, to.end);
  const lead = LEAD.exec(said)?.[0].length ?? 0;
  const text = said
    .slice(lead)
    .replace(/[\s.!。！,;]+$/u, "")
    .replace(TRAIL, "");
  const bare = text.endsWith(")") && !text.includes("(") ? text.slice(0, -1) : text;
  return isEnough(bare) ? { start: from.start + lead, end: from.start + lead + bare.length } : undefined;
}

/** The pieces before the one that asks, unless that only asks for confirmation: "we use npm, right?" */
function withoutQuestion(own: string, pieces: readonly Piece[]): readonly Piece[] {
  const last = pieces.at(-1);
  const isTag = last !== undefined && TAG.test(own.slice(last.start, last.end));
  return isTag ? [] : pieces.slice(0, -1);
}

function isKept({ score, isFixed }: Piece): boolean {
  return score > 0 || isFixed;
}

function toPiece(text: string, { start, end }: TextSpan): Piece {
  const signals = readSignals(foldText(text));
  return { start, end, score: sum(signals), isFixed: GOVERNING.some((name) => signals.has(name)) };
}

function splitPieces(own: string, span: TextSpan): TextSpan[] {
  return splitAt(own, span, OPEN_END.test(own.slice(span.start, span.end)) ? COMMA : CUT);
}

function splitAt(own: string, { start, end }: TextSpan, pattern: RegExp): TextSpan[] {
  const cuts = [...own.slice(start, end).matchAll(pattern)];
  const starts = [start, ...cuts.map(({ 0: cut, index }) => start + index + cut.length)];
  const ends = [...cuts.map(({ index }) => start + index), end];
  return starts.map((from, at) => ({ start: from, end: ends[at] ?? end }));
}

function judge(text: string, isLong: boolean): Omit<Statement, keyof TextSpan> | undefined {
  const signals = readSignals(foldText(text));
  // A condition with a duty or a practice is a policy: "if nothing changed, we do not commit".
  const isPolicy = signals.has("condition") && POLICY.some((name) => signals.has(name));
  const score =
    sum(signals) +
    (isPolicy ? POLICY_WEIGHT : 0) +
    (isLong ? LONG_TEXT_WEIGHT : 0) +
    (isCorrection(text) ? CORRECTION_WEIGHT : 0);
  const isShort = !isUnspaced(text) && text.split(/\s+/, MIN_RULE_WORDS).length < MIN_RULE_WORDS;
  if (isShort && !SHORT.test(text) && !PLAIN.some((name) => signals.has(name))) return undefined;
  return score < MIN_SCORE ? undefined : { score, category: categoryOf(text, signals) };
}

/** Only what people say of themselves is about their identity; how work is done in a team belongs to the project. */
function categoryOf(text: string, signals: ReadonlyMap<SignalName, number>): FactCategory {
  const has = (...names: readonly SignalName[]) => names.some((name) => signals.has(name));
  if (has("preference", "manner")) return "preference";
  if (has("person") && !has("scope", "practice", "generic")) return "identity";
  if (has("we", "scope", "decision", "practice", "command")) return "project";
  return has("choice") || REQUEST.test(text) ? "preference" : "project";
}

function isEnough(text: string): boolean {
  return isUnspaced(text) ? text.length >= MIN_UNSPACED_LENGTH : text.split(/\s+/, MIN_WORDS).length === MIN_WORDS;
}

function sum(signals: ReadonlyMap<SignalName, number>): number {
  let total = 0;
  for (const weight of signals.values()) total += weight;
  return total;
}
