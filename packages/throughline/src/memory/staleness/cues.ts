/** Says that something is so from now on: what was said of it before is not. */
const NOW =
  /\bas of (?:today|now|this)\b|\bfrom now on\b|^[^\p{L}[]*(?:\[[^\]]{1,60}\]:? *)?(?:(?:oh|no|sorry|wait),? )*(?:actually|correction|update|change of plans?)\b|\b(?:is|are) now\b|\bnow[.!]*$|\bno longer\b|\boverrid/iu;

/** Whether a sentence, or the turn that it stands in, says what is so from now on. */
export function isNews(sentence: string, turn: string): boolean {
  return NOW.test(sentence) || NOW.test(turn.slice(0, 60));
}
