import { type Sentence, splitSentences } from "../../language/sentences.ts";
import { isSmallTalk } from "../../language/small-talk.ts";
import { foldText, isUnspaced } from "../../language/words.ts";
import type { FactCategory } from "../../ports/memory.ts";
import type { TextSpan } from "./extract-turn.ts";
import { readSignals, type SignalName } from "./signals.ts";

/** A statement that applies beyond the moment. */
export interface Statement extends TextSpan {
  /** Start of the sentence before it, if a pronoun in the statement refers to that. */
  readonly contextStart?: number;
  /** A pronoun in the statement refers to something before the message. */
  readonly refersOutside?: true;
  readonly category: FactCategory;
  /** Sum of the weights of its signals. */
  readonly score: number;
}

/** Minimum score of a statement. */
const MIN_SCORE = 1.5;
/** A long text is more often a task description or pasted than a statement about its author. */
const LONG_TEXT = 800;
const LONG_TEXT_WEIGHT = -0.5;
/** A condition with a duty or a practice is a policy, for example "if nothing changed, we do not commit". */
const POLICY: readonly SignalName[] = ["duty", "instruction", "practice"];
const POLICY_WEIGHT = 0.75;
/** A hedge takes back a position: "I think we should probably use a queue". */
const POSITION: readonly SignalName[] = ["stance", "proposal", "suggestion"];
const HEDGED_WEIGHT = -1;
/**
 * A wish or a proposal is about the change at hand, unless a general form shows that it applies beyond it: "I want the
 * button on the left", but "I want all buttons on the left" and "let's never do that".
 */
const WISH: readonly SignalName[] = ["stance", "proposal"];
const GENERAL: readonly SignalName[] = [
  "fromNowOn",
  "standing",
  "always",
  "universal",
  "decision",
  "definition",
  "preference",
  "norm",
  "reason",
  "remember",
];
/** In characters. Longer sentences are not statements of one fact. */
const MAX_LENGTH = 400;
const MIN_UNSPACED_LENGTH = 5;
/** In words. Statements with one of the signals below are complete with fewer. */
const MIN_WORDS = 3;
const COMPLETE: readonly SignalName[] = ["self", "preference", "manner", "decision", "practice"];
/** Words before a statement that are not part of it. */
const LEAD =
  /^(?:[\s\-*•>(]|\d{1,2}[.)]\s|(?:no|nah|yes|well|then|q|(?:no )?wait|y|e|et)[,:.!…]\s*|(?:ok(?:ay)?|yeah|yep|yup|hey|hi|hello|like|so|and|but|also|btw|fyi|anyway|lol|oh|ah|hmm|sure|certainly|sorry|actually|by the way|just so you know|remember that|remember,|por cierto|übrigens|au fait|aber|und|pero|mais|mas)(?:[,:.!…]\s*|\s+))+/iu;
/** A label gives the scope of a statement and is not judged: "For commit messages: always use the imperative mood". */
const LABEL = /^[^:\n]{3,60}:\s+(?=\S+\s)/u;
/** Words after a statement that are not part of it. */
const TRAIL = /(?:,? (?:by the way|btw|fyi|though|lol|thanks|thx|thank you|please|pls)|\s*[:;]-?[|()/DP])$/iu;
/** Positions at which a sentence may be cut: the part on each side is complete without the other. */
const CUT =
  /;\s+|[；，]\s*|(?<=[^:\n]{60}):\s+|\s+[-–—]+\s+|\.{3,}\s*|…\s*|,\s+(?=(?:so|but|and|then|or|because|can|could|would|should|please|pls|how|what|which|where|who|any|is|are|do|does|let'?s|i|i'm|im|i've|we|she|he|they|you|it|need|don'?t|kannst|bitte|aber|wir|ich|puedes|por favor|pero|tu peux|mais|pode|mas)\s)|\s+(?=so (?:i|we|you|please|make|add|fix|check|don'?t|can|could|it|do|that'?s)\s|but\s|and (?:need|want|please|can|could|then|still|don'?t)\s)/giu;
/** Marks of a list in one line. One dash joins two parts of a sentence; more of them separate items. */
const INLINE_ITEM = /\s+[-–—*•]\s+/gu;
const MIN_INLINE_ITEMS = 3;
/** Start of a second statement by the same person: "My name is Ada and I live in Rome". */
const COORDINATION = /,?\s+and\s+(?=(?:i|i['’]m|i['’]ve|im|my|our|we)\s)/giu;
/** A line of a diff or a comment in code. */
const CODE_LINE = /^(?:[+#]|-\s*\/\/|\/\/|\/\*)/;
const CODE_MARKS = /[{}[\]=<>;|\\$]/g;
/** A sentence about code may have one such mark per this number of characters. */
const CHARACTERS_PER_MARK = 8;
const IMPERSONAL_WORDS = 30;
const PERSONAL = /\b(?:i|i'm|im|i'd|i've|we|we're|our|us|my|me|you|your|u|please|pls|let'?s|can)\b/i;
/**
 * A pronoun among the first words, or no subject: the statement refers to earlier text. The group precedes the pronoun.
 */
const REFERS =
  /^(?:((?:[^\s,;:]+ ){0,5})(?:(?:it(?! (?:sounds|seems|looks|when|if)\b)|its|it's|they|them|he|she|both|this|those|these)(?=[\s.,;!]|$)(?! (?:repo|repository|project|codebase|team|company)\b)|that(?= (?:again|way|without|in|on|by|before|after|when|ever)\b|[.,;!]|$))|(?:that|that's|there|must|should|needs to|has to)\b)/i;
/** "The old one": refers to earlier text anywhere in a statement. */
const PRO_FORM =
  /^(.*?)\b(?:the|an?) (?:new|old|other|first|second|last|next|same|right|wrong|current|previous) ones?(?=[\s.,;!)]|$)/isu;
/** A noun with its determiner, a name or a path, not in a phrase of place: a pronoun after it refers to it. */
const NOUN =
  /^(?!(?:at|in|on|from) ).*(?:\b(?:an?|the|our|my|every|each|any|all|no) \p{L}|(?<!^)\p{Lu}\p{L}|^\p{Lu}\p{L}+ \p{L}+(?:s|ed) |`|\p{L}[._/]\p{L})/u;
const MAX_CONTEXT = 160;
/** Quoted words are mentioned, not stated. */
const MENTIONED = /(["“”])[^"“”\n]+["“”]|(?<![\p{L}\p{N}])'[^'\s]+ [^'\n]+'(?![\p{L}\p{N}])/gu;
/** Beginning of a request to the assistant. */
const REQUEST =
  /^(?:(?:please|bitte|por favor|just),? )?(?:always|never|don'?t|do not|stop|use|prefer|avoid|make|keep|no|from now|in future|when you|answer|reply|write|remember to|i|i'm|my|immer|nie|niemals|siempre|nunca|toujours|jamais|sempre)\b/iu;
/** Questions, and lines that only announce the next one. */
const OPEN_END = /[?？؟:：][\s"')\]”’*_]*$/u;
const MAX_ANSWER_WORDS = 8;
const LASTING: readonly SignalName[] = ["always", "standing", "fromNowOn"];
/** Signals of a statement that may refer to the reply before it; others are about the work of the moment. */
const TASTE: readonly SignalName[] = ["manner", "preference"];
const LASTING_REPLY: readonly SignalName[] = [...LASTING, ...TASTE, "remember"];
const NO_ANSWER: readonly SignalName[] = ["moment", "hedge", "asked", "reported", "fault"];
/** Signals that govern adjacent words, so they are not cut off. */
const GOVERNING: readonly SignalName[] = ["condition", "hedge", "reported", "reason"];

/** Statements in a person's own words that apply beyond the moment, in order. */
export function findStatements(own: string): Statement[] {
  const isLong = own.trim().length > LONG_TEXT;
  if (isImpersonal(own)) return [];
  const sentences = splitSentences(own, { anyCase: true }).flatMap((sentence) => splitInlineList(own, sentence));
  const statements = sentences.flatMap((sentence, at) => {
    if (sentence.text.length > MAX_LENGTH || isCode(sentence.text) || isSmallTalk(sentence.text)) return [];
    const parts = splitAt(own, sentence, COORDINATION).flatMap((part) => readStatement(own, part, isLong) ?? []);
    const whole = readStatement(own, sentence, isLong);
    const found = parts.length > 1 || whole === undefined ? parts : [whole];
    return found.flatMap((statement) => withContext(own, statement, [sentence, sentences[at - 1]]) ?? []);
  });
  // The next statement may contain this one as its context.
  return statements.filter(({ start }, at) => start < (statements[at + 1]?.contextStart ?? Number.POSITIVE_INFINITY));
}

/** True if a few words answer a question permanently: "yes, always". */
export function isLastingAnswer(own: string): boolean {
  const text = own.trim();
  if (text === "" || text.split(/\s+/, MAX_ANSWER_WORDS + 1).length > MAX_ANSWER_WORDS || OPEN_END.test(text))
    return false;
  const signals = signalsOf(text);
  return hasAny(signals, LASTING) && !hasAny(signals, NO_ANSWER);
}

function readStatement(own: string, sentence: TextSpan, isLong: boolean): Statement | undefined {
  const span = trimSentence(own, sentence);
  const judged = span === undefined ? undefined : judge(own.slice(span.start, span.end), isLong);
  return span === undefined || judged === undefined ? undefined : { ...span, ...judged };
}

/**
 * Adds the text that a pronoun in a statement refers to: the beginning of its sentence, or the sentence before in the
 * same paragraph. `undefined` if that text is too long to be part of a memory, or about the moment.
 */
function withContext(
  own: string,
  statement: Statement,
  before: readonly (TextSpan | undefined)[],
): Statement | undefined {
  const wording = own.slice(statement.start, statement.end);
  const refers = [REFERS.exec(wording), PRO_FORM.exec(wording)].find((one) => one !== null && !NOUN.test(one[1] ?? ""));
  if (refers === undefined) return statement;
  const context = before.find((span) => {
    return span !== undefined && !isFiller(own.slice(span.start, Math.min(span.end, statement.start)));
  });
  const signals = signalsOf(wording);
  if (context === undefined) {
    return hasAny(signals, LASTING_REPLY) ? { ...statement, refersOutside: true } : undefined;
  }
  const text = own.slice(context.start, statement.start);
  const contextStart = context.start + (LEAD.exec(text)?.[0].length ?? 0);
  const isTooFar = text.length > MAX_CONTEXT || /\n\s*\n/.test(text);
  // A reference to a question, a guess or a one-time request is temporary too, except for a preference.
  const isOfMoment = !hasAny(signals, TASTE) && sum(signalsOf(text)) < 0;
  return isTooFar || isOfMoment ? undefined : { ...statement, contextStart };
}

/** "ok.", "no!", "thanks": sentences that a pronoun cannot refer to. */
function isFiller(sentence: string): boolean {
  const text = sentence.trim();
  return isSmallTalk(text) || text.split(/\s+/, MIN_WORDS).length < MIN_WORDS;
}

function splitInlineList(own: string, sentence: Sentence): readonly Sentence[] {
  const items = splitAt(own, sentence, INLINE_ITEM);
  if (items.length < MIN_INLINE_ITEMS) return [sentence];
  return items.map(({ start, end }) => ({ start, end, text: own.slice(start, end) }));
}

/** A longer text without "I", "we" or "you" was not written for this conversation: a review, a report, a log. */
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
  readonly asks: boolean;
  readonly isKept: boolean;
}

/** A sentence without the requests, questions and remarks before and after its statement. */
function trimSentence(own: string, sentence: TextSpan): TextSpan | undefined {
  const pieces = splitAt(own, sentence, CUT).map((span) => toPiece(own.slice(span.start, span.end), span));
  const isQuestion = OPEN_END.test(own.slice(sentence.start, sentence.end));
  const firstQuestion = pieces.findIndex(({ asks }) => asks);
  const claims = isQuestion ? pieces.slice(0, firstQuestion === -1 ? -1 : firstQuestion) : pieces;
  const from = claims.find(({ isKept }) => isKept);
  const to = claims.findLast(({ isKept }) => isKept);
  if (from === undefined || to === undefined) return undefined;
  const wording = own.slice(from.start, to.end);
  const lead = LEAD.exec(wording)?.[0].length ?? 0;
  const text = wording
    .slice(lead)
    .replace(/[\s.!。！,;]+$/u, "")
    .replace(TRAIL, "");
  const start = from.start + lead;
  return { start, end: start + closeParenthesis(text, own.slice(start, sentence.end)).length };
}

/** A statement without an unmatched parenthesis: it ends at the closing parenthesis of the sentence, or before it. */
function closeParenthesis(text: string, sentence: string): string {
  const open = text.lastIndexOf("(");
  if (open <= text.lastIndexOf(")")) return text.endsWith(")") && open === -1 ? text.slice(0, -1) : text;
  const close = sentence.indexOf(")", open);
  return close === -1 ? text.slice(0, open).trimEnd() : sentence.slice(0, close + 1);
}

function toPiece(text: string, { start, end }: TextSpan): Piece {
  const signals = signalsOf(text);
  return { start, end, asks: signals.has("asked"), isKept: sum(signals) > 0 || hasAny(signals, GOVERNING) };
}

function splitAt(own: string, { start, end }: TextSpan, pattern: RegExp): TextSpan[] {
  const cuts = [...own.slice(start, end).matchAll(pattern)];
  const starts = [start, ...cuts.map(({ 0: cut, index }) => start + index + cut.length)];
  const ends = [...cuts.map(({ index }) => start + index), end];
  return starts.map((from, at) => ({ start: from, end: ends[at] ?? end }));
}

function judge(text: string, isLong: boolean): Omit<Statement, keyof TextSpan> | undefined {
  const label = LABEL.exec(text)?.[0] ?? "";
  const isLasting = label !== "" && sum(signalsOf(label)) > 0;
  const signals = signalsOf(isLasting ? text : text.slice(label.length));
  if (!isComplete(text, signals) || isOfTask(signals)) return undefined;
  const score =
    sum(signals) +
    (signals.has("condition") && hasAny(signals, POLICY) ? POLICY_WEIGHT : 0) +
    (signals.has("hedge") && hasAny(signals, POSITION) ? HEDGED_WEIGHT : 0) -
    // "Let's" includes "we", which is no further evidence.
    (signals.has("proposal") ? (signals.get("project") ?? 0) : 0) +
    (isLong ? LONG_TEXT_WEIGHT : 0);
  return score < MIN_SCORE ? undefined : { score, category: categoryOf(text, signals) };
}

/** True for a wish about the current change. */
function isOfTask(signals: Signals): boolean {
  const isProhibition = signals.has("proposal") && signals.has("duty");
  return hasAny(signals, WISH) && !isProhibition && !hasAny(signals, GENERAL);
}

function isComplete(text: string, signals: Signals): boolean {
  if (isUnspaced(text)) return text.length >= MIN_UNSPACED_LENGTH;
  const words = text.split(/\s+/, MIN_WORDS).length;
  return words === MIN_WORDS || (words > 1 && hasAny(signals, COMPLETE));
}

/**
 * Only statements of people about themselves have the category `identity`. Practices of a team belong to the project.
 */
function categoryOf(text: string, signals: Signals): FactCategory {
  if (hasAny(signals, ["preference", "manner"])) return "preference";
  if (signals.has("self") && !hasAny(signals, ["practice", "universal"])) return "identity";
  if (hasAny(signals, ["project", "decision", "stance", "practice", "command", "universal"])) return "project";
  return REQUEST.test(text) ? "preference" : "project";
}

function signalsOf(text: string): Signals {
  return readSignals(foldText(text).replace(MENTIONED, "$1…$1"));
}

type Signals = ReadonlyMap<SignalName, number>;

function hasAny(signals: Signals, names: readonly SignalName[]): boolean {
  return names.some((name) => signals.has(name));
}

function sum(signals: Signals): number {
  let total = 0;
  for (const weight of signals.values()) total += weight;
  return total;
}
