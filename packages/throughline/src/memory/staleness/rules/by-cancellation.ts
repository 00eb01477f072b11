import type { KnownTurn, StalenessRule } from "../known-turn.ts";
import { type ParsedSentence, sharedTopic, topicOf } from "../parsed-sentence.ts";

const CANCELLED =
  /\b(?:cancel(?:led|ed|ing)?|called off|revoked?|scrapped|rescinded|abandoned|shelved|hold(?:ing)? off on|not going ahead|off the table|(?:forget|ignore|disregard|never ?mind) (?:what i (?:said|told you)|the (?:part|bit|thing)) about)\b/i;
/** A possible or excluded cancellation, not an actual one. */
const NOT_YET =
  /\b(?:unless|if|to|must|can|can't|cannot|don't|do not|not|never|should|could|would|may|might|free|please don't)\s+(?:be )?cancel|\bcancel(?:lation)? (?:fee|policy)|\bcancel by\b/i;
const POINTING = /\b(?:cancel|scrap|revoke|call off|hold off on|forget) (?:that|the|this)(?: (?<noun>\p{L}+))?/iu;
/** Completed actions, which a cancellation does not undo. */
const DONE =
  /^(?:(?:and|so|then|oh|well),? )*(?:i|we|he|she|they|my \p{L}+) (?:\p{L}+ly )?(?:\p{L}+ed|went|had|was|were|got|did|made|took|came|saw|met|bought)\b/iu;
const FAR = 24;
const NEAR = 6;

/** A cancellation outdates the approval, plan or request of the same thing. */
export const byCancellation: StalenessRule = ({ sentences }, known, mark) => {
  for (const said of sentences.filter(callsOff)) {
    const noun = POINTING.exec(said.text)?.groups?.noun;
    const pointed = noun === undefined ? undefined : nearestWith(noun, known);
    for (const earlier of known) {
      for (const sentence of earlier.sentences.filter(isStanding)) {
        const isPointed = earlier === pointed && hasNoun(sentence, noun);
        if (isPointed || isOfSame(said, sentence, earlier)) mark(earlier, sentence);
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

function isOfSame(said: ParsedSentence, sentence: ParsedSentence, { ago }: KnownTurn): boolean {
  if ([...said.identifiers].some((each) => sentence.identifiers.has(each))) return true;
  const { count, share } = sharedTopic(said.topic, sentence.topic);
  return ago <= FAR && count >= 2 && share >= 0.5;
}

/** The latest turn that mentions the noun of "cancel that purchase". */
function nearestWith(noun: string, known: readonly KnownTurn[]): KnownTurn | undefined {
  return known.find(({ ago, sentences }) => ago <= NEAR && sentences.some((sentence) => hasNoun(sentence, noun)));
}

function hasNoun({ topic, text }: ParsedSentence, noun: string | undefined): boolean {
  return noun !== undefined && !CANCELLED.test(text) && [...topicOf(noun)].some((stem) => topic.has(stem));
}
