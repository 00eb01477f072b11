import { checkOptions, FLAG, type OptionRules, TEXTS } from "../../errors/check-options.ts";
import { findSecrets } from "../../internal/find-secrets.ts";
import { omitUndefined } from "../../internal/json.ts";
import { oneLine } from "../../internal/text.ts";
import { statesChange } from "../../language/change-phrases.ts";
import { type Sentence, splitSentences } from "../../language/sentences.ts";
import { isSmallTalk } from "../../language/small-talk.ts";
import { anyPhrase } from "../../language/words.ts";
import { EXTRACTED_CONFIDENCE } from "../facts/fact-rules.ts";
import { normalizeFact } from "../facts/normalize-fact.ts";
import { readSlot } from "../facts/slots.ts";
import { blankForeignText, type ExtractedFact, type ExtractTurn, hasModelInstructions } from "./extract-turn.ts";
import { findStatements, isLastingAnswer, type Statement } from "./find-statements.ts";

/** Options of `extractFacts`. */
export interface ExtractOptions {
  /** Roles whose messages are read. Default: `["user"]`. */
  readonly roles?: readonly string[];
  /** Keeps facts that contain API keys, passwords or card numbers. Default: false. */
  readonly keepSecrets?: boolean;
}

/** Checks of the options. */
export const EXTRACT_RULES: OptionRules<ExtractOptions> = { roles: TEXTS, keepSecrets: FLAG };

/** Roles of people. */
export const PEOPLE: readonly string[] = ["user"];
/** Maximum number of facts per message. The clearest ones are kept. */
export const MAX_FACTS_PER_MESSAGE = 5;
/** A statement with this score is kept if the reply that it refers to is unknown: "keep it short from now on". */
const CLEAR_SCORE = 3;
/** Words after a statement that retract it. */
const RETRACTION =
  /^[\s.!,;…-]{0,8}(?:(?:well|oh|hmm|sorry|but),? ){0,3}(?:actually,? no\b|no,? wait|wait,? no|scratch that|never ?mind|on second thought|unless\b|only kidding|just kidding|jk\b)/i;
const MAX_LOOKAHEAD = 60;
/** Maximum characters at the end of a reply to search for the referent of a statement, and of the referent itself. */
const MAX_REPLY_END = 600;
const MAX_REFERENT = 200;
/** A term that a statement comments on: quoted words, or the last word of a few ("I don't like turn"). */
const TERM = /["“]([^"”\n]{2,60})["”]|^(?:\S+ ){2,4}(\p{L}{3,})$/u;
/** Marks of list items, before a statement and within it. */
const FIRST_MARK = /^[-*•]\s+/;
const NEXT_MARK = /\s*\n\s*[-*•]\s+/g;
/** A move to something without the capital of a place: "I moved to persistent worktrees" states no residence. */
const OTHER_MOVE = /^I .*\bmoved to (?!\p{Lu}|(?:an?|the|my|our|another) )/u;
/** Circumstances that are not part of a value: "I moved to Porto last month". */
const CIRCUMSTANCE =
  /,? (?:(?:last|this|next) \p{L}+|(?:an?|one|two|three|\d+|a few|a couple of) \p{L}+ ago|recently|yesterday|now|currently|these days|(?:in \d{4}|since|near|and|but|so|because|when|while|which|if|after|before)\b.*)$/iu;

/**
 * Extracts the statements of people that hold beyond the moment, by rules and without a model: standing rules,
 * preferences, decisions, practices of a project, and statements of people about themselves. The rules know English,
 * German, Spanish, French, Portuguese, Chinese and Japanese, and prefer to miss a statement over keeping one that is
 * none. Questions, guesses, quotes, pasted text, hypothetical or retracted statements, orders of the moment and
 * synthetic text give no facts.
 *
 * @param turns Messages, in order.
 * @param options Roles to read (default `["user"]`). `keepSecrets` keeps facts with API keys, passwords or card numbers
 *   (default false).
 * @returns Each fact once, in the words of the person, with the message of its last mention; at most five per message.
 *   If a statement refers to the reply before it ("never do that again"), the end of that reply follows as `[re: …]`.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * extractFacts([{ id: "m1", role: "user", text: "Hi! I live in Lisbon." }])[0]?.text; // "I live in Lisbon"
 */
export function extractFacts(turns: readonly ExtractTurn[], options: ExtractOptions = {}): ExtractedFact[] {
  checkOptions("extractFacts", options, EXTRACT_RULES);
  return extractByRules(turns, options);
}

/** Same as {@link extractFacts}, for options that are checked. */
export function extractByRules(turns: readonly ExtractTurn[], options: ExtractOptions): ExtractedFact[] {
  const { roles = PEOPLE, keepSecrets = false } = options;
  const rolePlay = new RolePlayDetector();
  const facts = new Map<string, ExtractedFact>();
  for (const [at, turn] of turns.entries()) {
    if (!roles.includes(turn.role)) continue;
    const before = turns[at - 1];
    for (const fact of factsOf(turn, rolePlay, before?.role === "assistant" ? before : undefined)) {
      if (!keepSecrets && findSecrets(fact.source.quote ?? "").length > 0) continue;
      facts.set(`${fact.subject}\n${normalizeFact(fact.text)}`, fact);
    }
  }
  return [...facts.values()];
}

/** The part of a reply that a statement refers to. */
interface Referent {
  /** Id of the reply. */
  readonly id: string;
  /** Words of the reply. */
  readonly text: string;
}

/** The last question of a reply that ends with a question, otherwise its last sentence that is not one. */
function referentOf(reply: ExtractTurn | undefined, isAsked: boolean): Referent | undefined {
  const sentences = endOf(reply);
  const isQuestion = ({ text }: Sentence) => /[?？]$/.test(text);
  const last = isAsked
    ? sentences.at(-1)
    : sentences.findLast((sentence) => !isQuestion(sentence) && !isSmallTalk(sentence.text));
  return isAsked && last !== undefined && !isQuestion(last) ? undefined : toReferent(reply, last);
}

/**
 * True if a statement comments on a term that the reply has in quotation, code or emphasis marks, as a proposal has.
 */
function answersProposal(reply: ExtractTurn | undefined, quote: string): boolean {
  const term = TERM.exec(quote);
  const marked = (term?.[1] ?? term?.[2] ?? "").toLowerCase();
  if (marked === "") return false;
  return endOf(reply).some(({ text }) => {
    const at = text.toLowerCase().indexOf(marked);
    return at > 0 && /["“'`*]/.test(text.charAt(at - 1));
  });
}

function endOf(reply: ExtractTurn | undefined): readonly Sentence[] {
  if (reply === undefined) return [];
  const sentences = splitSentences(reply.text.slice(-MAX_REPLY_END), { anyCase: true });
  return reply.text.length > MAX_REPLY_END ? sentences.slice(1) : sentences;
}

function toReferent(reply: ExtractTurn | undefined, sentence: Sentence | undefined): Referent | undefined {
  if (reply === undefined || sentence === undefined) return undefined;
  return { id: reply.id, text: oneLine(sentence.text.replace(FIRST_MARK, ""), MAX_REFERENT) };
}

/** The clearest statements of a turn, in order; if one refers to the reply before it, with the end of that reply. */
function factsOf(
  turn: ExtractTurn,
  rolePlay: RolePlayDetector,
  reply: ExtractTurn | undefined,
): readonly ExtractedFact[] {
  const { typed, own } = blankForeignText(turn);
  if (!rolePlay.isLiteral(own) || hasModelInstructions(own)) return [];
  const stated = findStatements(own).filter(({ end }) => !RETRACTION.test(own.slice(end, end + MAX_LOOKAHEAD)));
  if (stated.length === 0) return answerOf(turn, typed, own, referentOf(reply, true));
  const referent = referentOf(reply, false);
  const clearest = new Set(stated.toSorted((a, b) => b.score - a.score).slice(0, MAX_FACTS_PER_MESSAGE));
  return stated.flatMap((statement) => {
    if (
      !clearest.has(statement) ||
      (statement.refersOutside && referent === undefined && statement.score < CLEAR_SCORE)
    )
      return [];
    if (statement.refersOutside) return [toFact(statement, turn, typed, referent)];
    const isAnswer = answersProposal(reply, typed.slice(statement.start, statement.end));
    return isAnswer && statement.category === "preference" ? [] : [toFact(statement, turn, typed, undefined)];
  });
}

/** A few words that answer a question for good: "yes, always". */
function answerOf(
  turn: ExtractTurn,
  typed: string,
  own: string,
  question: Referent | undefined,
): readonly ExtractedFact[] {
  if (question === undefined || !isLastingAnswer(own)) return [];
  const start = own.length - own.trimStart().length;
  const answer = { start, end: own.trimEnd().length, score: 0, category: "preference" } as const;
  return [toFact(answer, turn, typed, question)];
}

function toFact(
  { start, end, category: stated, contextStart = start }: Statement,
  turn: ExtractTurn,
  typed: string,
  referent: Referent | undefined,
): ExtractedFact {
  const { speaker } = turn;
  const quote = typed.slice(start, end);
  const text = typed.slice(contextStart, end).replace(FIRST_MARK, "").replace(NEXT_MARK, "; ").replace(/\s+/g, " ");
  const read = referent === undefined ? readOwnSlot(text) : undefined;
  const isSwitch = read?.key === "residence" && OTHER_MOVE.test(text);
  const [slot, category] = isSwitch ? [undefined, "project" as const] : [read, stated];
  return omitUndefined({
    text: referent === undefined ? text : `${text} [re: ${referent.text}]`,
    category,
    key: slot?.key,
    value: slot?.value,
    subject: category === "project" ? "project" : (speaker ?? "user"),
    confidence: EXTRACTED_CONFIDENCE,
    source: omitUndefined({ messageId: turn.id, speaker, quote }),
    referent: referent === undefined ? undefined : { messageId: referent.id },
    updatesPrevious: statesChange(quote) ? (true as const) : undefined,
  });
}

/** The attribute and its value that a sentence in the first person states. */
function readOwnSlot(text: string): ReturnType<typeof readSlot> {
  if (!/^(?:i|i['’]m|my)\s/i.test(text)) return undefined;
  const plain = text.replace(/^I (?:(?:really|do|actually) )+/i, "I ").replace(/, (?!\p{Lu}).*$/u, "");
  return readSlot(plain.replace(CIRCUMSTANCE, ""));
}

/** Signs of role play, jokes, and text that is to be written. */
const PRETENCE = new RegExp(
  String.raw`\b${anyPhrase(`role-?play(?:ing)?, pretend(?:ing)?, imagine (?:that|you|i|we|a|being), act as, stay in character, in character,
    you are (?:now )?(?:a|an|my) [^.!?]{0,60}(?:character|persona|narrator), let's say (?:that )?i, suppose (?:that )?i,
    hypothetically, in this scenario, speaking as, from the perspective of, stell dir vor, nehmen wir an, imagina que, supongamos, imagine qu[e']?, supposons, suponha, faz de conta,
    (?:for|in) (?:the|my|an?|this) (?:essay|story|novel|scene|play|screenplay|character|quiz|ad|mockup|persona), (?:just|only) (?:kidding|joking), jk,
    write (?:me )?(?:a|an|the|my|some) (?:[a-z-]+ ){0,3}(?:story|poem|song|letter|essay|speech|script|monologue|scene|novel|bio|biography|dialog(?:ue)?|email|post|tweet|review|lyrics|prompt|instructions?|guidelines?|rules?|readme|template)`)}\b|(?:^|\s)/s(?:\s|$)`,
  "i",
);
const OPENS_SCENE = /\b(?:role-?play|stay in character|let's (?:play|pretend)|pretend to be|act as)\b/i;
const CLOSES_SCENE =
  /\b(?:out of character|ooc|stop (?:the )?(?:role-?play\w*|pretending|game)|end (?:of )?(?:the )?(?:role-?play|scene|game)|no more role-?play\w*|back to reality)\b/i;

/** Follows a conversation and detects role play and jokes. */
class RolePlayDetector {
  #inScene = false;

  /** True if a message is neither role play nor a joke. */
  isLiteral(text: string): boolean {
    if (CLOSES_SCENE.test(text)) {
      this.#inScene = false;
      return false;
    }
    if (OPENS_SCENE.test(text)) this.#inScene = true;
    return !this.#inScene && !PRETENCE.test(text);
  }
}
