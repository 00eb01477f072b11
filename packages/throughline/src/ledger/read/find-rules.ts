import { oneLine } from "../../internal/text.ts";
import { bareCorrection, isCorrection, isOwnStatement, isRule } from "../../language/rule-markers.ts";
import { readProse } from "../../language/sentences.ts";
import { isUnspaced } from "../../language/words.ts";
import { type LedgerOption, LIMITS } from "../ledger.ts";
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
interface FoundRule {
  readonly text: string;
  /** Missing for a rule that applies beyond the moment. */
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

/** Maximum characters of a reply that are searched for options, from its end. */
const MAX_REPLY = 12_000;
/** A line with the number or the letter of an option: `1. Retry`, `**B)** Fail`, `### Option 2: Wait`. */
const OPTION =
  /^[ \t]{0,8}(?:#{1,6} |[-*+•] )?((?:\*\*|__)?(?:option )?([1-9]|[a-d])(?:\*\*|__)?[.):](?:\*\*|__)? .{1,1000})$/gim;
/** The part of a message that contains the answer to a question. */
const FIRST_CLAUSE = /^[^,;\n]*?(?=[,;\n]|\.\s|\s[-–—]\s|$)/;
const MAX_WORDS = 8;
/** A message that is a list itself. */
const LIST = /^\s*1[.)]\s.*\s2[.)]\s/s;
/** A number or a letter without a counted noun: the end of a clause or a function word follows. */
const CHOICE =
  /(?<![\p{L}\d.]|\ball )#?([1-9]|[A-D]|[a-d](?=\)))(?=\W{0,2}$|\)|\s?[+&/]|\s(?:and|or|is|are|then|please|too|for|first|sounds|seems|looks|instead|only)\b)/gu;

/** Reads the options of a reply, such as a numbered list. If several have the same number, the last one counts. */
export function readOptions(reply: string): readonly LedgerOption[] {
  const found = new Map<string, LedgerOption>();
  for (const [, line = "", label = ""] of reply.slice(-MAX_REPLY).matchAll(OPTION)) {
    found.set(label.toUpperCase(), { label: label.toUpperCase(), text: oneLine(line, LIMITS.sentence) });
  }
  return found.size > 1 ? [...found.values()] : [];
}

/** Returns the options that a message chooses by their number or letter: `1`, `option 2`, `A) is fine`, `3 and 4`. */
export function chosenOptions(message: string, options: readonly LedgerOption[]): readonly LedgerOption[] {
  if (options.length === 0 || LIST.test(message)) return [];
  const clause = FIRST_CLAUSE.exec(message.trim())?.[0] ?? "";
  if (clause.split(/\s+/, MAX_WORDS + 1).length > MAX_WORDS) return [];
  const labels = new Set([...clause.matchAll(CHOICE)].map(([, label = ""]) => label.toUpperCase()));
  return options.filter(({ label, text }) => labels.has(label) && !/[?？]\W{0,3}$/.test(text));
}
