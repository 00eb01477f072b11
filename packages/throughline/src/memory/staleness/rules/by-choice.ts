import { statesChange } from "../../../language/change-phrases.ts";
import { isSameSpeaker, type KnownTurn, type StalenessRule } from "../known-turn.ts";
import { type ParsedSentence, type SentenceFrame, sharedTopic, topicOf } from "../parsed-sentence.ts";

/** A return to an earlier choice, or the choice of another person. */
const AGAIN = /\bback to\b|^(?:per|according to) /i;
const FAR = 24;
const NEAR = 6;

/** Another choice for the same purpose, or an explicit replacement, outdates the earlier one. */
export const byChoice: StalenessRule = ({ turn, sentences }, known, mark) => {
  for (const { frame, isOpen, text } of sentences) {
    if (frame?.kind !== "choice" || isOpen || frame.isLoose) continue;
    const isAgain = AGAIN.test(text) || statesChange(text);
    const found = known.find(
      (earlier) =>
        earlier.ago <= (isAgain ? NEAR : FAR) &&
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
