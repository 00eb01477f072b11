import { oneLine } from "../internal/one-line.ts";
import { readProse } from "../language/sentences.ts";
import { isUnspaced } from "../language/words.ts";
import { LIMITS } from "./ledger-limits.ts";
import { ownSentence } from "./own-words.ts";

const MAX_PROSE = 12_000;
const RULE =
  /\b(never|always|do not|don['’]?t|must(n['’]t)?|should(n['’]t| not| always| never)|avoid|make sure|ensure|only use|prefer(ably)?|from now on|in future|no longer|stop (using|doing|adding)|without (using|adding|touching|changing|breaking)|keep in mind|remember (to|that)|use .{1,80} (instead|rather))\b/i;
const NO_RULE =
  /\b(I|we|they|it|you|that|this|there|he|she|tests?|users?) (\w+ )?(don['’]?t|do not) (know|think|see|understand|get|have|need|remember|believe|recall|exist|work|mind|care|seem|look|appear)\b|\b(?!I\b|we\b|already\b|just\b)\w+ (says?|said|states?|stated|wrote|writes|claims?|claimed) (that )?(\w+ ){0,3}(never|always|do not|don['’]?t|must|should|avoid)\b|\bdon['’]?t (you|we|they) \b|\b(why|how come) (don|do|would|should)/i;
/** Rules in what the user said, as they stand: orders and preferences that hold beyond the moment. */
export function findConstraints(speech: string): readonly string[] {
  return sentencesOf(speech)
    .filter((sentence) => {
      const plain = plainly(sentence);
      return RULE.test(plain) && !NO_RULE.test(plain) && !/[?:]$/.test(plain);
    })
    .map(ownSentence);
}

function plainly(sentence: string): string {
  return oneLine(sentence.replaceAll("**", ""), LIMITS.sentence);
}

/** Shorter sentences hold no rule and no decision. */
const MIN_LENGTH = 12;
const THREE_WORDS = /\S\s+\S+\s+\S/;

/** The sentences of prose that can stand in the ledger; of a long text, those of its head and its tail. */
function sentencesOf(text: string): readonly string[] {
  const bounded = text.length > MAX_PROSE ? `${text.slice(0, MAX_PROSE / 2)}\n${text.slice(-MAX_PROSE / 2)}` : text;
  return readProse(bounded, { headings: true }).filter((sentence) => {
    const isWhole = sentence.length >= MIN_LENGTH && sentence.length <= LIMITS.sentence;
    return isWhole && (THREE_WORDS.test(sentence) || isUnspaced(sentence));
  });
}
