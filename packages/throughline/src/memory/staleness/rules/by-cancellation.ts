import type { StalenessRule } from "../known-turn.ts";
import { type ParsedSentence, sharedTopic } from "../parsed-sentence.ts";

const CANCELLED =
  /\b(?:cancel(?:led|ed|ing)?|called off|revoked?|scrapped|rescinded|abandoned|shelved|hold(?:ing)? off on|not going ahead|off the table|(?:forget|ignore|disregard|never ?mind) (?:what i (?:said|told you)|the (?:part|bit|thing)) about)\b/i;
/** A possible or excluded cancellation, not an actual one. */
const NOT_YET =
  /\b(?:unless|if|to|must|can|can't|cannot|don't|do not|not|never|should|could|would|may|might|free|please don't)\s+(?:be )?cancel|\bcancel(?:lation)? (?:fee|policy)|\bcancel by\b/i;
/** Completed actions, which a cancellation does not undo. */
const DONE =
  /^(?:(?:and|so|then|oh|well),? )*(?:i|we|he|she|they|my \p{L}+) (?:\p{L}+ly )?(?:\p{L}+ed|went|had|was|were|got|did|made|took|came|saw|met|bought)\b/iu;
const FAR = 24;

/** A cancellation outdates the approval, plan or request of the same thing. */
export const byCancellation: StalenessRule = ({ sentences }, known, mark) => {
  for (const sentenceNow of sentences.filter(callsOff)) {
    for (const earlier of known.filter(({ ago }) => ago <= FAR)) {
      for (const sentence of earlier.sentences.filter(isStanding)) {
        if (isOfSame(sentenceNow, sentence)) mark(earlier, sentence);
      }
    }
  }
};

function callsOff({ text, isOpen }: ParsedSentence): boolean {
  return !isOpen && CANCELLED.test(text) && !NOT_YET.test(text);
}

/** True if a sentence states something current or planned. */
function isStanding({ text, isOpen }: ParsedSentence): boolean {
  return !isOpen && !CANCELLED.test(text) && !DONE.test(text);
}

function isOfSame(sentenceNow: ParsedSentence, sentence: ParsedSentence): boolean {
  const { count, share } = sharedTopic(sentenceNow.topic, sentence.topic);
  return count >= 2 && share >= 0.5;
}
