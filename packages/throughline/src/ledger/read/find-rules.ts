import { bareCorrection, isCorrection, isOwnStatement, isRule } from "../../language/rule-markers.ts";
import { readProse } from "../../language/sentences.ts";
import { isUnspaced } from "../../language/words.ts";
import { LIMITS } from "../ledger-limits.ts";
import { cutWords, ownSentence } from "../quoted/user-quotes.ts";

/** Context of an utterance. */
interface RuleOrigin {
  /** Id of the text part, if it can be used in a handle. */
  readonly part?: string | undefined;
  /** True if the assistant has replied or worked before, so that the user can correct something. */
  readonly isReply?: boolean;
  /** True if the user has just stopped the assistant. The next words give the reason. */
  readonly wasStopped?: boolean;
}

/** Maximum characters to read. Of a longer text, only the head and the tail are read. */
const MAX_PROSE = 60_000;
/** Shorter sentences contain no rule. In a script without spaces, a few letters are a sentence. */
const MIN_LENGTH = { spaced: 8, unspaced: 5 } as const;
const TWO_WORDS = /\S\s+\S/;
const THREE_WORDS = /\S\s+\S+\s+\S/;
const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;
/** A comment of code without a code block. */
const COMMENT = /^[+-]?\s*(?:\/\/|\/\*)/;
/**
 * A long sentence often consists of several without punctuation, so the words that make it a rule must be at its start.
 */
const LONG = { sentence: 320, start: 120 } as const;

/** A question before another clause in a sentence: "is it done? don't push". */
const QUESTION_BEFORE = /^.*[?？؟]\s+(?=\S)/su;

/** A rule or a correction that the user gave. */
export interface FoundRule {
  readonly text: string;
  /** Missing for a rule that holds beyond the moment. */
  readonly kind?: "correction";
}

/**
 * Rules, preferences and corrections in the user's own words, verbatim and in any language. A correction that is a rule
 * too ("no, never use npm") is a rule.
 */
export function findConstraints(own: string, moment: RuleOrigin = {}): readonly FoundRule[] {
  const sentences = sentencesOf(own);
  const { part, isReply = false, wasStopped = false } = moment;
  const [first] = sentences;
  const lead = first !== undefined && isReply ? withBareCorrection(own, first) : undefined;
  return sentences.flatMap((sentence): FoundRule[] => {
    const plain = sentence.length > LONG.sentence ? sentence.slice(0, LONG.start) : sentence.replaceAll("**", "");
    const isLead = sentence === first && lead !== undefined;
    const text = cutWords(ownSentence(isLead ? lead : sentence), LIMITS.rule, part);
    if (isRule(plain.replace(QUESTION_BEFORE, ""))) return [{ text }];
    const corrects = isReply && (isCorrection(plain) || (wasStopped && sentence === first && isOwnStatement(plain)));
    const isWhole = isLead || (corrects && (THREE_WORDS.test(plain) || isUnspaced(plain)));
    return isWhole ? [{ text, kind: "correction" }] : [];
  });
}

/** "No. Use tabs.": the first sentence with the short correction before it. */
function withBareCorrection(own: string, first: string): string | undefined {
  const text = own.trimStart();
  const length = bareCorrection(text);
  return length > 0 && text.startsWith(first, length) ? text.slice(0, length + first.length) : undefined;
}

/** A text without the list items below a question, because they are options to choose from. */
function withoutOptions(text: string): string {
  let isAsked = false;
  const kept = text.split("\n").filter((line) => {
    if (LIST_ITEM.test(line)) return !isAsked;
    if (line.trim() !== "") isAsked = /[?？؟][\s*_"')\]]{0,8}$/.test(line);
    return true;
  });
  return kept.join("\n");
}

function sentencesOf(text: string): readonly string[] {
  const bounded = text.length > MAX_PROSE ? `${text.slice(0, MAX_PROSE / 2)}\n${text.slice(-MAX_PROSE / 2)}` : text;
  return readProse(withoutOptions(bounded), { headings: true }).filter((sentence) => {
    if (COMMENT.test(sentence)) return false;
    if (isUnspaced(sentence)) return sentence.length >= MIN_LENGTH.unspaced;
    return sentence.length >= MIN_LENGTH.spaced && TWO_WORDS.test(sentence);
  });
}
