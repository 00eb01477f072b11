import { readValues, type Value } from "../../reconcile/read-values.ts";
import type { KnownTurn, Mark, StalenessRule } from "../known-turn.ts";
import { outdatedSpans } from "../mark-stale.ts";
import { type ParsedSentence, says, sharedTopic, topicOf } from "../parsed-sentence.ts";

const FAR = 24;
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
    else if (earlier.ago <= FAR) for (const old of valuesLike(value, sentence, sentenceNow)) mark(earlier, old);
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
