import { phrases } from "./lexicon/phrases.ts";

/** A piece of a sentence that can be true on its own. */
export interface Clause {
  readonly text: string;
  /** Where it begins in the text. */
  readonly start: number;
  /** What stands before it in its sentence. */
  readonly before: string;
  readonly isQuestion: boolean;
}

const SENTENCE = /[^.!?…\n]+(?:[.!?…]+(?=\S)[^.!?…\n]+)*[.!?…]*/g;
/** What is longer is no sentence that somebody says of themselves. */
const MAX_SENTENCE_LENGTH = 800;
/** A subject, or a question, with which a new clause begins. */
const STARTER =
  phrases(`i, i'm, im, i've, ive, i'd, i'll, my, we, we're, we've, our, you, u, your, it, it's, its, that, that's,
  this, these, those, he, he's, she, she's, they, they're, there, there's, what, what's, how, how's, why, where, who, when's,
  which, do, does, did, are, is, have you, has, can you, could you, would you, will you, any, lol, haha, the team`);
const CONJUNCTION = phrases(
  "and, but, so, because, cause, 'cause, cuz, bc, since, although, though, yet, or, plus, while, whereas, however, then, also, as",
);
/** Space from its first character on: tried at each of them, a run of space would cost the square of its length. */
const SPACE = String.raw`(?<!\s)\s+`;
const MARKS = String.raw`(?:${SPACE})?(?:(?<![,;:(])[,;:(]+|(?<!\.)\.{2,}|…)\s*`;
const BOUNDARY = new RegExp(
  String.raw`(${MARKS}|${SPACE}(?:[-–—]+\s+)?)((?:${CONJUNCTION}\b,?\s+){0,6})(?=${STARTER}(?![\w']))`,
  "gi",
);

/** Begins without a sign, as people type it. */
const ASKS_BACK = /^(?:what|how) about (?:you|u|yours)\b/i;

/**
 * Cuts a text into clauses: at the ends of sentences, and where a comma or a conjunction stands before a new subject.
 * Of a question only what comes before its last clause is stated.
 */
export function splitClauses(text: string): Clause[] {
  const plain = text.replaceAll("’", "'");
  return [...plain.matchAll(SENTENCE)].flatMap(({ 0: sentence, index }) =>
    sentence.length > MAX_SENTENCE_LENGTH ? [] : splitSentence(sentence, index),
  );
}

function splitSentence(sentence: string, start: number): Clause[] {
  const cuts = [...sentence.matchAll(BOUNDARY)].flatMap(({ 0: whole, 1: mark = "", 2: conjunctions = "", index }) => {
    const isCut = mark.trim() !== "" || conjunctions !== "" || ASKS_BACK.test(sentence.slice(index + whole.length));
    return isCut && index > 0 ? [{ end: index, next: index + whole.length }] : [];
  });
  const asks = /$(?<=\?[.!?…\s"')]*)/.test(sentence);
  const pieces = [{ end: 0, next: 0 }, ...cuts].map(({ next }, i) => ({
    from: next,
    to: cuts[i]?.end ?? sentence.length,
  }));
  return pieces.flatMap(({ from, to }, i) => {
    const raw = sentence.slice(from, to).replace(/(?<![.!?…\s])[.!?…\s]+$/, "");
    const text = raw.trimStart();
    const offset = from + raw.length - text.length;
    const isQuestion = asks && i === pieces.length - 1;
    return text === "" ? [] : [{ text, start: start + offset, before: sentence.slice(0, offset), isQuestion }];
  });
}
