import { oneLine } from "../../internal/text.ts";
import { readProse, splitSentences } from "../../language/sentences.ts";
import { baseForm } from "../../language/stem.ts";
import { isStopWord } from "../../language/stop-words.ts";
import { wordSet } from "../../language/words.ts";
import type { LedgerRequest } from "../../ledger/ledger.ts";
import { readUserWords } from "../../ledger/quoted/user-words.ts";

/** Filler sentences of a reply: offers, questions and confirmations. */
const FILLER =
  /^(?:done|great|perfect|good|ok(?:ay)?|sure|yes|no|got it|all (?:tests?|checks?|green|good|set|done)|tests? (?:all )?pass|everything|here(?:'|’)s|here is|here are|let me|let(?:'|’)s|would you|do you|want me|should i|shall i|i(?:'|’)ll|i will|now |next|summary|note|the (?:following|changes are))\b[^.!?]{0,60}[.!?:]?$|\?$|:$|^(?:would you|do you want|want me|should i|shall i|let me know|feel free|please|thanks?|thank you|sorry|i(?:'|’)m sorry|i apologi[sz]e|i understand|i can)\b/i;
/** Introductory words: "Done. I've added". */
const LEAD =
  /^(?:(?:done|great|perfect|yes|good|all done|now)[.!,]\s+)?(?:(?:i|we)(?:(?:'|’)ve| have)?\s+(?=(?:also |now |just )?(?:\w+ed|made|wrote|ran|found|built|set|put|took|kept|split)\b))?/i;
const MAX_SENTENCE_LENGTH = 320;
const MIN_SENTENCE_LENGTH = 14;
const MAX_SENTENCES = 60;

/**
 * Informative sentences of a Markdown reply, without code, tables and headings. Each is on one line and ends with a
 * period. A list item is a sentence.
 */
export function plainSentences(markdown: string): readonly string[] {
  return readProse(markdown, { plain: true })
    .filter((sentence) => sentence.length >= MIN_SENTENCE_LENGTH && !FILLER.test(sentence))
    .slice(0, MAX_SENTENCES)
    .map((sentence) => withStop(capitalize(oneLine(sentence.replace(LEAD, ""), MAX_SENTENCE_LENGTH))));
}

/** A text with a capital at its start, unless it starts with an identifier such as `getUser` or `req.body`. */
export function capitalize(text: string): string {
  return /^\p{Ll}[\p{L}\d]*(?:[\p{Lu}\d_(=]|[./]\p{L})/u.test(text)
    ? text
    : text.charAt(0).toUpperCase() + text.slice(1);
}

function withStop(text: string): string {
  return /[.!?…。！？]$/.test(text) ? text : `${text.replace(/(?<![,;:])[,;:]+$/, "")}.`;
}

/** Text that agents insert as user messages. */
const INSERTED = /^(?:<[\w-]+>|Operation stopped by hook|\[Request interrupted|Caveat:|You are (?:a|an|the) )/;
/** A link to an issue or a pull request becomes its number; other links are left out. */
const NUMBERED_LINK = /https?:\/\/\S{1,200}\/(?:pull|pulls|issues|merge_requests)\/(\d{1,7})\S*/g;
/** The number of an issue, followed by its link. */
const REPEATED_NUMBER = /#(\d{1,7})\s+#\1\b/g;
const LINK = /https?:\/\/\S+/g;
/** A single word before a colon. */
const LABEL = /^\s*[\p{L}-]{1,20}:\s*$/u;
const BULLET = /^(?:[-*+•]|\d{1,2}[.)])\s+/;

/** True if an agent, not the user, wrote a request. */
export function isInserted({ text }: LedgerRequest): boolean {
  return INSERTED.test(text);
}

/** Sentences of a request in the user's own words, each on one line, without links. */
export function requestSentences(request: LedgerRequest): readonly string[] {
  if (isInserted(request)) return [];
  const { own } = readUserWords(request.text);
  // A label before a colon ("debug: …") is not a sentence, even if a pasted text may follow it.
  const spoken = LABEL.test(own) ? request.text : own;
  return splitSentences(spoken.replace(NUMBERED_LINK, "#$1").replace(REPEATED_NUMBER, "#$1").replace(LINK, " "), {
    anyCase: true,
  })
    .map((sentence) => sentence.text.replace(/\s+/g, " ").replace(BULLET, "").trim())
    .filter((sentence) => sentence !== "");
}

/** Words that are common in requests, in addition to stop words. */
const COMMON = wordSet(`
  back better bring came change check code come course different else every example feel file files find first fix
  found gave give given good great happen help idea instead issue issues keep know last line little look looking made
  make mean name need new next number open part people point problem put question remove right run said say see seem
  seems show side start sure take tell test tests think time tried try turn two understand update use used using want
  whether without work working works write wrong implement implementation add added adding create ensure following
  mostly long previous`);
const MIN_WORD_LENGTH = 3;
const MAX_TEXT_LENGTH = 6_000;

/**
 * Descriptive words of a text, in lower case and in order, including parts of identifiers (`getSession`, `user_id`).
 */
export function specificWordsOf(text: string): readonly string[] {
  const words = text
    .slice(0, MAX_TEXT_LENGTH)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\d]+/gu);
  return (words ?? []).filter((word) => {
    return word.length >= MIN_WORD_LENGTH && ![word, baseForm(word)].some(isCommon) && !/^\d+$/.test(word);
  });
}

function isCommon(word: string): boolean {
  return COMMON.has(word) || isStopWord(word, { fillers: true });
}

/** Subject of a text: base forms of its descriptive words. */
export function subjectWords(text: string): ReadonlySet<string> {
  return new Set(specificWordsOf(text).map(baseForm));
}
