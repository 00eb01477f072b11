import { oneLine } from "../internal/text.ts";
import { CODE_BLOCK, readProse, splitSentences } from "../language/sentences.ts";
import { isSmallTalk } from "../language/small-talk.ts";
import { termHashes } from "../language/terms.ts";
import { isUnspaced } from "../language/words.ts";
import { type Ledger, type LedgerOutlook, type LedgerRequest, type LedgerStatement, LIMITS } from "./ledger.ts";
import { readOptions } from "./read/find-rules.ts";

/** Of a longer text, only the head and the tail are read. */
const MAX_PROSE = 24_000;
/** Maximum number of sentences per text: for the last text about its request, and for earlier ones. */
const PER_LAST_TEXT = 24;
const PER_EARLIER_TEXT = 6;
/** Length in characters of a reply that is kept as a whole because it has no such sentence. */
const MIN_WHOLE_REPLY = 12;
const MAX_WHOLE_REPLY = 240;
const MIN_WORDS = 4;
const MIN_WORDS_BEFORE_COLON = 10;
/** Minimum characters of a sentence in a script without spaces between words. */
const MIN_UNSPACED = 8;
/** Share of the limits that remains after an eviction, so that evictions are rare. */
const AFTER_EVICTION = 0.8;

/** An announcement of the next step, without a result or a finding. */
const NARRATION =
  /^(?:\W*(?:ok(?:ay)?|great|good|perfect|excellent|now|next|first|then|and|alright|right|sure|yes|hmm|wait|actually|so|but)\b[,.!:]?\s+){0,4}(?:\W*[\w'’]{1,20}(?: [\w'’]{1,20}){0,3} ?[,:!–—-]+ )?\W*(?:let me|let['’]?s|i['’]ll|i will|i['’]m (?:going to|now|about to|not going to|\w{2,20}ing)|i need to|i should|now i|i can see|i see|we need to|time to)\b/i;
/** `Now add the test`, `Next, the parser:`: an instruction to oneself. */
const SELF_ORDER =
  /^\W*(?:now|next|then|first|finally),? (?:(?:add|update|check|run|fix|create|write|look|verify|commit|implement|test|rebase|push|read|edit|remove|rebuild|build|view|see|find|make|do)\b|.{0,200}:\W{0,3}$)/i;
/** `…, so I'm reading the rest`: a reason for the next step. */
const NEXT_STEP = /[,;] (?:so|now|then) i['’](?:m|ll)\b/i;
/** A confirmation without content. */
const FILLER =
  /^\W*(?:no response requested|got it|good|great|perfect|excellent|okay|i have (?:a|the|enough)|i understand|the plan is clear|you['’]re (?:absolutely )?right|makes sense)\b[^`\d]{0,48}$/i;
/** An announcement to look at, run or wait for something. It is not a decision, even with a reason. */
const LOOKING =
  /^.{0,80}?\b(?:let me|let['’]s|i['’]ll|i will|i['’]m(?: now| going to| about to)?|now i)\s+(?:\w+ly |also |just |first |now )?(?:check|look|read|inspect|verify|search|find|run|load|poll|refresh|list|trac|review|confirm|start|open|view|see|examin|investigat|explor|stag|pull|fetch|grep|scan|wait|monitor|gather)(?:e|es|ing|ning|ding|ting)?\b/i;
/** Another announcement with a reason is a decision. */
const REASON = /\b(because|instead of|rather than|so that)\b/i;
/** Words of reasons, choices, problems and outcomes. */
const TELLING =
  /\b(because|since|so that|instead|rather than|root cause|caused?|issue|problem|bug|found|turns out|means|fix(?:ed|es)?|added|removed|replaced|changed|moved|only|never|always|fail(?:s|ed|ing)?|pass(?:es|ed|ing)?|decided|chose|keep|kept|uses?|used|default|missing|wrong|works?|verified)\b/gi;
const MAX_TELLING = 3;
const TELLING_WEIGHT = 0.3;
/** A name, a number or code. */
const SPECIFIC = /[`\d/]|[\p{L}\d][._]\p{L}|\p{Ll}\p{Lu}/u;
const MIN_TERMS = 4;
export const VAGUE_WEIGHT = 0.5;
/** Minimum weight of a conclusion before a tool call: the sentence must contain two such words. */
const WEIGHT_BEFORE_CALL = 1.4;

/** Admission of an error. This sentence and the next one are about the user's objection. */
const ADMITS =
  /\bi (?:was|were) (?:\w+ )?(?:wrong|mistaken)\b|\bi (?:misread|misunderstood|misdiagnosed|misspoke|stand corrected|take that back)\b|\bi (?:had|got) (?:it|that|this) (?:wrong|backwards?)\b|\bmy (?:earlier|previous|first|initial|original) (?:\S+ ){1,6}?(?:was|were|is) (?:\w+ )?(?:wrong|incorrect|mistaken)\b|\bfalse alarm\b|\bred herring\b/i;
/** Correction of an earlier statement, which this sentence and the next one are about. */
const REVISES =
  /^\W*(?:wait|actually|correction)\b|\bturns out\b|\b(?:was|is|were|are)(?:n['’]t| not) (?:actually )?(?:the|an?) (?:\w+ )?(?:cause|problem|issue|reason|culprit|bug)\b|\b(?:was|is) (?:\w+ )?a misdiagnosis\b/i;
/** Number of first sentences of a reply that answer the user's objection, and maximum characters of the objection. */
const FIRST_SENTENCES = 2;
const MAX_OBJECTION = 600;
/** Minimum number and share of words in a retraction for a statement about the same thing. */
const SAME_THING = { words: 3, share: 0.6 } as const;

/** A reference to another sentence. */
const DEPENDENT = /^\W*(?:this|that|these|those|it|so|but|and|or|then|however|which|also|plus)\b/i;
const DEPENDENT_WEIGHT = 0.85;
/** Weight of a sentence that only announces the next ones. */
const LEAD_WEIGHT = 0.6;
/** The line above a list of options or of conditional steps. */
const OFFER = /\b(?:if|could|would|want|either|alternatively|choose|questions?)\b/i;
/** The line above a list of advice: an offer, unless the user asked for advice. */
const ADVICE = /\b(?:should|options?|consider|suggest(?:ions?)?|recommend(?:ations?)?)\b/i;
const ASKS_FOR_ADVICE =
  /\b(?:recommend|suggest|advi[cs]e|tips?|ideas?|should i|what (?:should|can|could) i|how (?:should|can|do|could) i)\b/i;
const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)]|(?:\*\*)?[A-Da-d][.)](?:\*\*)?)\s/;

const HEADING_LINE = /^[ \t]{0,3}#{1,6}[ \t][^\n]*$/gm;
/** A line in bold alone, with capitals as in a title, is a heading. */
const BOLD_LINE = /^(?:\*\*|__)[^*]{1,200}(?:\*\*:?|:\*\*|__:?)$/;
const SMALL_WORD = /(?<![\p{L}'’-])\p{Ll}{4,}/u;
/** An announcement of the next lines. */
const LEAD = /^\W*(?:here(?:['’]s| is| are)|below (?:is|are)|the following|let['’]?s)\b.*:\W{0,3}$/i;
/** An open question in the form of a request. */
const ASKS_BACK =
  /^\W*(?:please (?:confirm|provide|tell me|share|specify|choose|let me know (?:which|what|how|whether|if you(?:['’]d| would)))|(?:just )?let me know (?:which|what|how|whether))\b/i;
const LET_ME_KNOW = /^\W*(?:just )?let me know\b/i;
const ANYTHING_ELSE = /\banything else\b/i;

/** Quotations of several sentences are drafts or samples: the words of others, not statements of the assistant. */
const QUOTATION = /"[^"\n]{1,4000}"|“[^“”\n]{1,4000}”/g;
const SAMPLE_SHARE = 0.6;
const SEVERAL_SENTENCES = /[.!?]\s+\p{Lu}/u;
/** The first and the last line of a letter that was drafted for the user. */
const SALUTATION =
  /^[\s>*_]{0,8}(?:dear|hi|hello|hey|sehr geehrte\w*|liebe[rs]?|estimad[oa]s?|hola|ch[eè]re?s?|bonjour|prezad[oa]s?|gentile|beste|geachte)\b[^\n!?]{0,60}[,:][\s*_]{0,4}$/i;
const SIGN_OFF =
  /^[\s>*_]{0,8}(?:(?:best|kind|warm|warmest)?,? ?(?:regards|wishes)|best|sincerely|yours\b|thanks|thank you|cheers|mit freundlichen|viele gr|liebe gr|atentamente|saludos|cordialement|bien [àa] vous|atenciosamente|cordiali saluti|met vriendelijke)[^\n.]{0,30}[,!]?[\s*_]{0,4}$/i;
const MAX_LETTER_LINES = 80;

/** Information content of a sentence as a statement of its own: vague ones count less. */
export function statementWeight(text: string): number {
  return sentenceWeight(text) * (isVague(text) ? VAGUE_WEIGHT : 1);
}

/** True if a sentence has little content: a few common words without a name or a number. */
export function isVague(text: string): boolean {
  return !SPECIFIC.test(text) && termsOf(text).size < MIN_TERMS;
}

/** Information content of a sentence, about 1. */
export function sentenceWeight(text: string): number {
  const found = new Set((text.match(TELLING) ?? []).map((word) => word.toLowerCase()));
  const weight = 1 + TELLING_WEIGHT * Math.min(MAX_TELLING, found.size);
  return weight * (DEPENDENT.test(text) ? DEPENDENT_WEIGHT : 1) * (isLead(text) ? LEAD_WEIGHT : 1);
}

/** True if a sentence ends with a colon: it announces the next one. */
export function isLead(text: string): boolean {
  return /:\W{0,3}$/.test(text);
}

/**
 * Keeps the sentences of a reply about results, findings and decisions. Of earlier replies to the same request, only
 * the most informative ones are kept.
 */
export function noteStatements(ledger: Ledger, reply: string, at: number): Ledger {
  const prose = readReply(reply, ASKS_FOR_ADVICE.test(ledger.requests.at(-1)?.text.slice(-MAX_PROSE) ?? ""));
  const known = new Set(ledger.statements.map(({ text }) => text));
  // A reply that only asks a question has no other content.
  const isAsked = prose.statements.length === 0 && prose.outlook?.kind === "question";
  const found = isAsked ? [{ text: prose.outlook.text, order: 0 }] : prose.statements;
  const novel = found.filter(({ text }) => !known.has(text) && known.add(text));
  const fresh = mostInformative(novel, PER_LAST_TEXT).map(({ text, order }) => ({ text, order, at }));
  const request = ledger.requests.at(-1);
  const said = request === undefined ? 0 : request.said + reply.length;
  const requests = request === undefined ? ledger.requests : ledger.requests.with(-1, { ...request, said });
  const thin = fresh.length === 0 ? ledger.statements : withoutOldest(ledger.statements, request);
  const objection = request?.text.slice(0, MAX_OBJECTION) ?? "";
  const taken = prose.retractions.map(({ text, answersUser }) => (answersUser ? `${objection} ${text}` : text));
  const earlier = withoutRetracted(thin, taken, ledger.requests.at(-2)?.at ?? 0);
  const { outlook: _, options: __, ...rest } = ledger;
  const options = readOptions(reply);
  return keepStatements({
    ...rest,
    requests,
    statements: [...earlier, ...fresh],
    ...(prose.outlook === undefined ? {} : { outlook: { ...prose.outlook, at } }),
    ...(options.length === 0 ? {} : { options }),
  });
}

/**
 * True if a reply contains a result, a finding, a decision or an answer. Text before a tool call that announces the
 * next step does not count, even with a reason; another sentence has to give a reason, a result or a choice.
 *
 * @example
 * isConclusion("Let me look at the tests."); // false
 */
export function isConclusion(reply: string, { beforeCall = false }: { readonly beforeCall?: boolean } = {}): boolean {
  const { statements } = readReply(reply, true);
  if (beforeCall) {
    return statements.some(({ text }) => !announces(text) && sentenceWeight(text) > WEIGHT_BEFORE_CALL);
  }
  return statements.length > 0 || reply.length > MAX_WHOLE_REPLY;
}

function announces(sentence: string): boolean {
  return NARRATION.test(sentence) || SELF_ORDER.test(sentence) || NEXT_STEP.test(sentence);
}

/** The statements of a ledger without retracted ones of the last two requests. */
function withoutRetracted(
  statements: readonly LedgerStatement[],
  retractions: readonly string[],
  since: number,
): readonly LedgerStatement[] {
  if (retractions.length === 0) return statements;
  const about = retractions.map(termsOf);
  return statements.filter(({ text, at }) => {
    const terms = at < since ? [] : [...termsOf(text)];
    return about.every((known) => {
      const shared = terms.filter((term) => known.has(term)).length;
      return shared < SAME_THING.words || shared < SAME_THING.share * terms.length;
    });
  });
}

function termsOf(text: string): ReadonlySet<number> {
  return termHashes(text);
}

type Sentence = Pick<LedgerStatement, "text" | "order">;

/** A sentence that retracts something, with the next one. */
interface Retraction {
  readonly text: string;
  /** True if it concedes the user's last objection. */
  readonly answersUser: boolean;
}

function readReply(
  reply: string,
  isAdviceWanted: boolean,
): {
  readonly statements: readonly Sentence[];
  readonly outlook: Pick<LedgerOutlook, "kind" | "text"> | undefined;
  readonly retractions: readonly Retraction[];
} {
  const bounded = reply.length > MAX_PROSE ? `${reply.slice(0, MAX_PROSE / 2)}\n${reply.slice(-MAX_PROSE / 2)}` : reply;
  const own = withoutDrafts(withoutOffers(bounded, isAdviceWanted));
  const sentences = readProse(own).map((text) => oneLine(text, LIMITS.sentence));
  const last = sentences.at(-1);
  const kind = last === undefined ? undefined : outlookOf(last);
  const found = sentences.map((text, order): Sentence => ({ text, order })).filter(({ text }) => isStatement(text));
  // A reply of code or of a few words is an answer too.
  const whole = oneLine(withoutCode(reply).replace(HEADING_LINE, ""), MAX_WHOLE_REPLY);
  const saysNothing = sentences.length > 0 && sentences.every(isSmallTalk);
  const isAnswer =
    found.length === 0 &&
    kind === undefined &&
    whole.length >= MIN_WHOLE_REPLY &&
    saysSomething(whole) &&
    !/^\\?#/.test(whole) &&
    !/:\W{0,3}$/.test(reply) &&
    !saysNothing;
  const retractions = sentences.flatMap((text, at): Retraction[] => {
    const admits = ADMITS.test(text);
    if (NARRATION.test(text) || !(admits || REVISES.test(text))) return [];
    return [{ text: `${text} ${sentences[at + 1] ?? ""}`, answersUser: admits && at < FIRST_SENTENCES }];
  });
  return {
    statements: isAnswer ? [{ text: whole, order: 0 }] : found,
    outlook: last === undefined || kind === undefined ? undefined : { kind, text: last },
    retractions,
  };
}

/**
 * A long text with "…" in place of its code blocks, unless it begins with one or nearly so: then the code is the
 * answer.
 */
function withoutCode(text: string): string {
  const prose = text.length > MAX_WHOLE_REPLY ? text.replace(CODE_BLOCK, " … ").trim() : text;
  return /^…|^[^…]{0,24}…/.test(prose) ? text : prose;
}

/** A text without lists of offers. Neither their items nor the line above them are facts alone. */
function withoutOffers(text: string, isAdviceWanted: boolean): string {
  const kept: string[] = [];
  let lead = "";
  let leadAt = 0;
  for (const line of text.split("\n")) {
    if (LIST_ITEM.test(line)) {
      const isOffer = /[?？]\W{0,4}$/.test(lead) || OFFER.test(lead) || (!isAdviceWanted && ADVICE.test(lead));
      if (isOffer && /[:?]\W{0,4}$/.test(lead)) {
        if (/:\W{0,4}$/.test(kept[leadAt] ?? "")) kept[leadAt] = withoutLastSentence(kept[leadAt] ?? "");
        continue;
      }
    } else if (line.trim() !== "") {
      lead = line.trim().slice(-400);
      leadAt = kept.length;
    }
    kept.push(line);
  }
  return kept.join("\n");
}

function withoutLastSentence(line: string): string {
  const last = splitSentences(line).at(-1);
  return last === undefined ? line : line.slice(0, last.start);
}

/** A text without drafted letters and long quotations, because their sentences are not statements of the assistant. */
function withoutDrafts(text: string): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  // A reply may be a letter itself.
  const start = lines.findIndex((line) => line.trim() !== "");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const length = at > start && SALUTATION.test(line) ? letterLength(lines, at) : 0;
    if (length > 0) at += length - 1;
    else kept.push(line.replace(QUOTATION, (quotation) => shortQuotation(quotation, line)));
  }
  return kept.join("\n");
}

/** Number of lines of the letter that begins at a line; 0 if it has no end. */
function letterLength(lines: readonly string[], from: number): number {
  const end = lines.slice(from + 1, from + MAX_LETTER_LINES).findIndex((line) => SIGN_OFF.test(line));
  return end === -1 ? 0 : end + 2;
}

/** Cuts a quotation of several sentences that makes up most of its line. */
function shortQuotation(quotation: string, line: string): string {
  const isSample = SEVERAL_SENTENCES.test(quotation) && quotation.length > SAMPLE_SHARE * line.length;
  return isSample ? `${quotation.charAt(0)}…${quotation.at(-1)}` : quotation;
}

function isStatement(sentence: string): boolean {
  if (/[?？]\W{0,3}$|[,;]$/.test(sentence) || !saysSomething(sentence)) return false;
  if (isHeading(sentence) || LEAD.test(sentence) || ASKS_BACK.test(sentence) || isSmallTalk(sentence)) return false;
  if (isUnspaced(sentence)) return sentence.length >= MIN_UNSPACED;
  // A short line with a colon only introduces the next one.
  const min = /:\W{0,3}$/.test(sentence) ? MIN_WORDS_BEFORE_COLON : MIN_WORDS;
  return sentence.split(/\s+/, min).length === min;
}

/** True if a sentence is more than an announcement of the next step or a confirmation. */
function saysSomething(sentence: string): boolean {
  if (FILLER.test(sentence)) return false;
  if (!NARRATION.test(sentence) && !SELF_ORDER.test(sentence)) return true;
  return REASON.test(sentence) && !LOOKING.test(sentence);
}

function isHeading(sentence: string): boolean {
  return BOLD_LINE.test(sentence) && !/[.!…]\W{0,3}$/.test(sentence) && !SMALL_WORD.test(sentence);
}

function outlookOf(sentence: string): LedgerOutlook["kind"] | undefined {
  if (ANYTHING_ELSE.test(sentence)) return undefined;
  if (/[?？]\W{0,3}$/.test(sentence) || ASKS_BACK.test(sentence)) return "question";
  return NARRATION.test(sentence) && !isSmallTalk(sentence) && !LET_ME_KNOW.test(sentence) ? "next" : undefined;
}

/**
 * Reduces the statements of earlier replies to a request to the most informative ones of each reply. Vague ones, such
 * as "There are still failing tests", were about a moment that has passed.
 */
function withoutOldest(
  statements: readonly LedgerStatement[],
  request: LedgerRequest | undefined,
): readonly LedgerStatement[] {
  const last = statements.at(-1)?.at ?? 0;
  if (request === undefined || last <= request.at) return statements;
  const from = statements.findIndex(({ at }) => at === last);
  return [
    ...statements.slice(0, from),
    ...mostInformative(
      statements.slice(from).filter(({ text }) => !isVague(text)),
      PER_EARLIER_TEXT,
    ),
  ];
}

function mostInformative<S extends Sentence>(sentences: readonly S[], max: number): readonly S[] {
  if (sentences.length <= max) return sentences;
  const ranked = sentences
    .map((sentence, index) => ({ sentence, index, weight: statementWeight(sentence.text) + (index < 2 ? 0.3 : 0) }))
    .sort((a, b) => b.weight - a.weight || a.index - b.index);
  const kept = new Set(ranked.slice(0, max).map(({ sentence }) => sentence));
  return sentences.filter((sentence) => kept.has(sentence));
}

/** Drops the least informative statements if there are too many, older ones first. */
export function keepStatements(
  ledger: Ledger,
  limits: { readonly count: number; readonly characters: number } = LIMITS.statements,
): Ledger {
  const { statements } = ledger;
  const characters = statements.reduce((sum, { text }) => sum + text.length, 0);
  if (statements.length <= limits.count && characters <= limits.characters) return ledger;
  const ranked = statements
    .map((statement, index) => ({ statement, rank: statementWeight(statement.text) * (1 + index / statements.length) }))
    .sort((a, b) => b.rank - a.rank || b.statement.at - a.statement.at);
  const kept = new Set<LedgerStatement>();
  let used = 0;
  for (const { statement } of ranked) {
    if (kept.size >= AFTER_EVICTION * limits.count) break;
    if (used + statement.text.length > AFTER_EVICTION * limits.characters) continue;
    used += statement.text.length;
    kept.add(statement);
  }
  return { ...ledger, statements: statements.filter((statement) => kept.has(statement)) };
}
