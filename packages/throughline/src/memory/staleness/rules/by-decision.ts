import { areAlike } from "../../reconcile/read-values.ts";
import type { StalenessRule } from "../known-turn.ts";
import type { ParsedSentence } from "../parsed-sentence.ts";

const TENTATIVE =
  /^(?:[^\p{L}]*(?:\[[^\]]{1,60}\]:? *)?)(?:(?:we're|we are|i'm|i am) (?:thinking|considering|leaning towards?)|(?:tentative|draft|provisional|proposed)(?: \p{L}+){1,3}:)|\((?:draft|tentative|provisional|proposed)\)/iu;
const OFFICIAL =
  /\b(?:the (?:official|final) \p{L}+ (?:is|are|will be)|(?:'ve|have|has|was|were|is|are) (?:now )?(?:finali[sz]ed|officially|signed off|locked in)|it's official)\b/iu;
const NEAR = 6;

/** A decision outdates tentative statements about the same thing. */
export const byDecision: StalenessRule = ({ sentences }, known, mark) => {
  for (const sentenceNow of sentences) {
    if (sentenceNow.isOpen || !OFFICIAL.test(sentenceNow.text)) continue;
    for (const earlier of known.filter(({ ago }) => ago <= NEAR)) {
      for (const sentence of earlier.sentences) {
        if (!sentence.isOpen && TENTATIVE.test(sentence.text) && isAnswered(sentenceNow, sentence)) {
          mark(earlier, sentence, sentence.frame?.value);
        }
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
