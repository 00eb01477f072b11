import { statesChange } from "../../../language/change-phrases.ts";
import { areAlike, readValues } from "../../reconcile/read-values.ts";
import type { StalenessRule } from "../known-turn.ts";
import { type SentenceFrame, sharedTopic, topicOf } from "../parsed-sentence.ts";

/** A location. Two different locations of a meeting cannot both be right. */
const PLACE = /^(?:in|at|on) (?:the )?\p{Lu}/u;
const FAR = 24;

/** Another state of the same subject outdates the earlier one: `The meeting is in …`, `The project is delayed`. */
export const bySubject: StalenessRule = ({ sentences }, known, mark) => {
  for (const { frame, isOpen, text } of sentences) {
    if (frame?.kind !== "is" || isOpen) continue;
    const isNow = statesChange(text);
    for (const earlier of known.filter(({ ago }) => ago <= FAR)) {
      for (const sentence of earlier.sentences) {
        if (sentence.isOpen || sentence.frame?.kind !== "is" || !isSameSubject(frame, sentence.frame)) continue;
        if (isAnother(frame, sentence.frame, isNow)) mark(earlier, sentence, sentence.frame.value);
      }
    }
  }
};

function isSameSubject(a: SentenceFrame, b: SentenceFrame): boolean {
  const { count, share } = sharedTopic(topicOf(a.of), topicOf(b.of));
  return count > 0 && share === 1;
}

function isAnother(now: SentenceFrame, before: SentenceFrame, isNow: boolean): boolean {
  if (sharedTopic(topicOf(now.value), topicOf(before.value)).share === 1) return false;
  const [values, old] = [readValues(now.value), readValues(before.value)];
  if (isPlace(now) && isPlace(before)) return true;
  if (!isNow) return false;
  if (values.length === 0 && old.length === 0) return true;
  return old.some((value) => values.some((other) => areAlike(other, value) && other.value !== value.value));
}

function isPlace({ value }: SentenceFrame): boolean {
  return PLACE.test(value) && readValues(value).every(({ kind }) => kind !== "date" && kind !== "time");
}
