import { findChanges, statesChange } from "../../../language/change-phrases.ts";
import { areAlike, type Value } from "../../reconcile/read-values.ts";
import type { KnownTurn, Mark, NewTurn, StalenessRule } from "../known-turn.ts";
import { type ParsedSentence, sharedTopic } from "../parsed-sentence.ts";

/** "Update: …", "A quick update on …", "Updated: …". A request to update something states nothing. */
const UPDATE =
  /^[^\p{L}[]*(?:\[[^\]]{1,60}\]:? *)?(?:(?:here(?:'s|’s| is) )?(?:an?|the|my|our) )?(?:(?:quick|short|status|latest|important) )*(?:update (?:on|about|regarding)\b|updated?(?: #?\d+| \([^)]{1,40}\))?(?: *[:–—\n]| +- ))/iu;
const FAR = 24;
/** Minimum share of common topic words: with an explicit change, and with a change marker only. */
const MIN_SHARE = 0.3;
const LARGE_SHARE = 0.6;

/** An update outdates earlier statements about the same thing. */
export const byUpdate: StalenessRule = (news, known, mark) => {
  const isUpdate = UPDATE.test(news.turn.text);
  const statements = news.sentences.filter(({ isOpen, values }) => !isOpen && values.length > 0).map(readChange);
  for (const earlier of known.filter(({ ago }) => ago <= FAR)) {
    for (const sentence of earlier.sentences.filter(({ isOpen }) => !isOpen)) {
      if (isUpdate && isOfSame(news, sentence)) mark(earlier, sentence);
      else for (const sentenceNow of statements) markChanged(sentenceNow, earlier, sentence, mark);
    }
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
