import { findChanges, statesChange } from "../../language/change-phrases.ts";
import { areAlike, readValues, type Value } from "../reconcile/read-values.ts";
import { outdatedSpans } from "./mark-stale.ts";
import {
  type KnownTurn,
  MAX_DISTANCE,
  type Mark,
  NEAR_DISTANCE,
  type NewTurn,
  type ParsedSentence,
  type SentenceFrame,
  type StalenessRule,
  says,
  sharedTopic,
  statementsWithin,
  topicOf,
} from "./parsed-turn.ts";

/** A reference to an earlier value, with a new one. */
const POINTS_BACK =
  /\b(?:change|move|push|switch|set|bump|shift|reschedule|update) (?:that|it|this|(?:the|our) \p{L}+)(?: back| up| forward| out)? to \b|\bmake (?:that|it) (?=[$€£\d])|\boverrid(?:e|ing|den)\b|\bscratch that\b|^(?:(?:oh|sorry|no),? )*wait\b|\bi meant\b|\bi misspoke\b|\bmy mistake\b|^(?:sorry|correction)[,:]? (?=[$€£\d])/iu;

/** "Change that to Thursday": outdates the nearest value of the same kind, and its repetitions. */
export const byChange: StalenessRule = ({ sentences }, known, mark) => {
  const first = sentences.findIndex(({ text, isOpen }) => !isOpen && POINTS_BACK.test(text));
  if (first === -1) return;
  const given = sentences.slice(first).flatMap(({ values }) => values);
  const near = known.filter(({ ago }) => ago <= NEAR_DISTANCE);
  for (const value of given) {
    const old = nearestAlike(value, near);
    if (old === undefined) continue;
    for (const earlier of near) {
      for (const same of valuesOf(earlier)) {
        if (areAlike(same, old) && same.value === old.value) mark(earlier, same);
      }
    }
  }
};

function nearestAlike(value: Value, near: readonly KnownTurn[]): Value | undefined {
  for (const earlier of near) {
    const alike = valuesOf(earlier).filter((other) => areAlike(other, value));
    // The turn already has the new value.
    if (alike.some((other) => other.value === value.value)) return undefined;
    if (alike.length > 0) return alike.at(-1);
  }
  return undefined;
}

function valuesOf({ sentences }: KnownTurn): Value[] {
  return sentences.flatMap(({ values, isOpen }) => (isOpen ? [] : values));
}

/** "Update: …", "A quick update on …", "Updated: …". A request to update something states nothing. */
const UPDATE =
  /^[^\p{L}[]*(?:\[[^\]]{1,60}\]:? *)?(?:(?:here(?:'s|’s| is) )?(?:an?|the|my|our) )?(?:(?:quick|short|status|latest|important) )*(?:update (?:on|about|regarding)\b|updated?(?: #?\d+| \([^)]{1,40}\))?(?: *[:–—\n]| +- ))/iu;
/** Minimum share of common topic words: with an explicit change, and with a change marker only. */
const MIN_SHARE = 0.3;
const LARGE_SHARE = 0.6;

/** An update outdates earlier statements about the same thing. */
export const byUpdate: StalenessRule = (news, known, mark) => {
  const isUpdate = UPDATE.test(news.turn.text);
  const statements = news.sentences.filter(({ isOpen, values }) => !isOpen && values.length > 0).map(readChange);
  for (const { earlier, sentence } of statementsWithin(known, MAX_DISTANCE)) {
    if (isUpdate && isOfSame(news, sentence)) mark(earlier, sentence);
    else for (const stated of statements) markChanged(stated, earlier, sentence, mark);
  }
};

/** True if one of the sentences of an update is about the same thing. */
function isOfSame({ sentences }: NewTurn, sentence: ParsedSentence): boolean {
  const topic = new Set(sentences.slice(0, 3).flatMap((sentenceNow) => [...sentenceNow.topic]));
  return sharedTopic(topic, sentence.topic).count >= 2;
}

/** A sentence with values, read once for all sentences that it may outdate. */
interface Stated {
  readonly sentenceNow: ParsedSentence;
  /** True if it states a change to a new value. */
  readonly hasNewValue: boolean;
  /** True if a marker states a change. */
  readonly statesChange: boolean;
}

function readChange(sentenceNow: ParsedSentence): Stated {
  const hasNewValue = findChanges(sentenceNow.text).some(({ now }) => now !== undefined);
  return { sentenceNow, hasNewValue, statesChange: statesChange(sentenceNow.text) };
}

/** Marks the old value, or the whole sentence if the thing was moved in time. */
function markChanged(stated: Stated, earlier: KnownTurn, sentence: ParsedSentence, mark: Mark): void {
  const { sentenceNow, hasNewValue } = stated;
  const old = sentence.values.filter((value) => isReplaced(value, sentenceNow.values));
  if (old.length === 0) return;
  const { count, share } = sharedTopic(sentenceNow.topic, sentence.topic);
  const isChanged = hasNewValue && count > 0 && share >= MIN_SHARE;
  if (!isChanged && !(stated.statesChange && count >= 2 && share >= LARGE_SHARE)) return;
  if (isChanged && count >= 2 && old.every(isTime)) mark(earlier, sentence);
  else for (const value of old) mark(earlier, value);
}

function isTime({ kind }: Value): boolean {
  return kind === "time" || kind === "date";
}

function isReplaced(value: Value, now: readonly Value[]): boolean {
  const alike = now.filter((other) => areAlike(other, value));
  return alike.length > 0 && alike.every((other) => other.value !== value.value);
}

/** Maximum number of words of a value such as a date. Longer phrases are statements. */
const WORDS_OF_VALUE = 3;

/**
 * The new turn names the wrong value or statement: `The value was …`, `our previous conclusion '…' was …`, `from Monday
 * to Tuesday`.
 */
export const byDescription: StalenessRule = (news, known, mark) => {
  for (const span of outdatedSpans(news.turn.text)) {
    const phrase = news.turn.text.slice(span.start, span.end);
    const sentenceNow = news.sentences.find(({ start, end }) => start <= span.start && end >= span.end);
    for (const earlier of known) markDescribed(phrase, sentenceNow, earlier, mark);
  }
};

function markDescribed(phrase: string, sentenceNow: ParsedSentence | undefined, earlier: KnownTurn, mark: Mark): void {
  const [value] = topicOf(phrase).size <= WORDS_OF_VALUE ? readValues(phrase) : [];
  for (const sentence of earlier.sentences) {
    if (!sentence.isOpen && says(sentence, phrase)) mark(earlier, sentence, phrase);
    else if (earlier.ago <= MAX_DISTANCE)
      for (const old of valuesLike(value, sentence, sentenceNow)) mark(earlier, old);
  }
}

/** Occurrences of the same value in a sentence about the same thing. */
function valuesLike(
  value: Value | undefined,
  sentence: ParsedSentence,
  sentenceNow: ParsedSentence | undefined,
): readonly Value[] {
  if (value === undefined || sentenceNow === undefined || sharedTopic(sentenceNow.topic, sentence.topic).count === 0)
    return [];
  return sentence.values.filter((other) => other.kind === value.kind && other.value === value.value);
}

/** A location. Two different locations of a meeting cannot both be right. */
const PLACE = /^(?:in|at|on) (?:the )?\p{Lu}/u;

/** Another state of the same subject outdates the earlier one: `The meeting is in …`, `The project is delayed`. */
export const bySubject: StalenessRule = ({ sentences }, known, mark) => {
  for (const { frame, isOpen, text } of sentences) {
    if (frame?.kind !== "is" || isOpen) continue;
    const isNow = statesChange(text);
    for (const { earlier, sentence } of statementsWithin(known, MAX_DISTANCE)) {
      if (sentence.frame?.kind !== "is" || !isSameSubject(frame, sentence.frame)) continue;
      if (isAnother(frame, sentence.frame, isNow)) mark(earlier, sentence, sentence.frame.value);
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
