import { statesChange } from "../../language/change-phrases.ts";
import { compareClaims } from "../reconcile/contradictions.ts";
import { areAlike } from "../reconcile/read-values.ts";
import {
  isSameSpeaker,
  type KnownTurn,
  MAX_DISTANCE,
  NEAR_DISTANCE,
  type ParsedSentence,
  type SentenceFrame,
  type StalenessRule,
  sharedTopic,
  statementsWithin,
  stripLead,
  topicOf,
} from "./parsed-turn.ts";

const CANCELLED =
  /\b(?:cancel(?:led|ed|ing)?|called off|revoked?|scrapped|rescinded|abandoned|shelved|hold(?:ing)? off on|not going ahead|off the table|(?:forget|ignore|disregard|never ?mind) (?:what i (?:said|told you)|the (?:part|bit|thing)) about)\b/i;
/** A possible or excluded cancellation, not an actual one. */
const NOT_YET =
  /\b(?:unless|if|to|must|can|can't|cannot|don't|do not|not|never|should|could|would|may|might|free|please don't)\s+(?:be )?cancel|\bcancel(?:lation)? (?:fee|policy)|\bcancel by\b/i;
/** Completed actions, which a cancellation does not undo. */
const DONE =
  /^(?:(?:and|so|then|oh|well),? )*(?:i|we|he|she|they|my \p{L}+) (?:\p{L}+ly )?(?:\p{L}+ed|went|had|was|were|got|did|made|took|came|saw|met|bought)\b/iu;

/** A cancellation outdates the approval, plan or request of the same thing. */
export const byCancellation: StalenessRule = ({ sentences }, known, mark) => {
  for (const sentenceNow of sentences.filter(callsOff)) {
    for (const { earlier, sentence } of statementsWithin(known, MAX_DISTANCE)) {
      if (isStanding(sentence) && isOfSame(sentenceNow, sentence)) mark(earlier, sentence);
    }
  }
};

function callsOff({ text, isOpen }: ParsedSentence): boolean {
  return !isOpen && CANCELLED.test(text) && !NOT_YET.test(text);
}

/** True if a sentence states something current or planned. */
function isStanding({ text }: ParsedSentence): boolean {
  return !CANCELLED.test(text) && !DONE.test(text);
}

function isOfSame(sentenceNow: ParsedSentence, sentence: ParsedSentence): boolean {
  const { count, share } = sharedTopic(sentenceNow.topic, sentence.topic);
  return count >= 2 && share >= 0.5;
}

/** A return to an earlier choice, or the choice of another person. */
const AGAIN = /\bback to\b|^(?:per|according to) /i;

/** Another choice for the same purpose, or an explicit replacement, outdates the earlier one. */
export const byChoice: StalenessRule = ({ turn, sentences }, known, mark) => {
  for (const { frame, isOpen, text } of sentences) {
    if (frame?.kind !== "choice" || isOpen || frame.isLoose) continue;
    const isAgain = AGAIN.test(text) || statesChange(text);
    const found = known.find(
      (earlier) =>
        earlier.ago <= (isAgain ? NEAR_DISTANCE : MAX_DISTANCE) &&
        earlier.sentences.some((sentence) => isReplaced(frame, sentence, isAgain, isSameSpeaker(turn, earlier.turn))),
    );
    if (found !== undefined) markAll(found, frame, isAgain, isSameSpeaker(turn, found.turn), mark);
  }
};

function markAll(
  found: KnownTurn,
  frame: SentenceFrame,
  isAgain: boolean,
  isSame: boolean,
  mark: Parameters<StalenessRule>[2],
): void {
  for (const sentence of found.sentences) {
    if (isReplaced(frame, sentence, isAgain, isSame)) mark(found, sentence, sentence.frame?.value);
  }
}

function isReplaced(now: SentenceFrame, sentence: ParsedSentence, isAgain: boolean, isSame: boolean): boolean {
  const { frame, isOpen } = sentence;
  if (frame?.kind !== "choice" || isOpen) return false;
  const [value, old] = [topicOf(now.value), topicOf(frame.value)];
  if (sharedTopic(value, old).share === 1) return false;
  if (now.of !== "" && frame.of !== "") return sharedTopic(topicOf(now.of), topicOf(frame.of)).share === 1;
  return isAgain && isSame;
}

const TENTATIVE =
  /^(?:[^\p{L}]*(?:\[[^\]]{1,60}\]:? *)?)(?:(?:we're|we are|i'm|i am) (?:thinking|considering|leaning towards?)|(?:tentative|draft|provisional|proposed)(?: \p{L}+){1,3}:)|\((?:draft|tentative|provisional|proposed)\)/iu;
const OFFICIAL =
  /\b(?:the (?:official|final) \p{L}+ (?:is|are|will be)|(?:'ve|have|has|was|were|is|are) (?:now )?(?:finali[sz]ed|officially|signed off|locked in)|it's official)\b/iu;

/** A decision outdates tentative statements about the same thing. */
export const byDecision: StalenessRule = ({ sentences }, known, mark) => {
  for (const sentenceNow of sentences) {
    if (sentenceNow.isOpen || !OFFICIAL.test(sentenceNow.text)) continue;
    for (const { earlier, sentence } of statementsWithin(known, NEAR_DISTANCE)) {
      if (TENTATIVE.test(sentence.text) && isAnswered(sentenceNow, sentence)) {
        mark(earlier, sentence, sentence.frame?.value);
      }
    }
  }
};

/** True if both have a value of one kind and the values differ, or both have a frame with different values. */
function isAnswered(sentenceNow: ParsedSentence, sentence: ParsedSentence): boolean {
  if (sentenceNow.values.length > 0 && sentence.values.length > 0) {
    return sentence.values.some((old) =>
      sentenceNow.values.some((value) => areAlike(value, old) && value.value !== old.value),
    );
  }
  return (
    sentenceNow.frame !== undefined && sentence.frame !== undefined && sentenceNow.frame.value !== sentence.frame.value
  );
}

/** A stated change outdates an earlier statement of the same speaker that it supersedes, in any session. */
export const byStatement: StalenessRule = ({ turn, sentences }, known, mark) => {
  const stated = sentences
    .filter(({ text, isOpen }) => !isOpen && statesChange(text))
    .map(({ text }) => ({ text: stripLead(text), updatesPrevious: true }));
  if (stated.length === 0) return;
  const own = known.filter((earlier) => isSameSpeaker(earlier.turn, turn));
  for (const { earlier, sentence } of statementsWithin(own, Number.POSITIVE_INFINITY)) {
    const older = { text: stripLead(sentence.text) };
    if (stated.some((newer) => compareClaims(older, newer).relation === "supersedes")) mark(earlier, sentence);
  }
};
