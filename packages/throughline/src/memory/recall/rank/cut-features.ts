import { readWords } from "../../../language/words.ts";
import type { Candidate, Candidates, Question } from "../search.ts";
import { type CutFeatures, smallness } from "./cut-model.ts";

/** A word with a capital that does not begin a sentence. */
const NAME = /(?<=[\p{L}\p{N},;:'’]\s+)\p{Lu}[\p{L}\p{N}]+/gu;
const MAX_NAMES = 2;

/** What the cut looks at, of one candidate. */
export function cutFeatures(
  { parts }: Candidate,
  { terms, size, usualCosine }: Pick<Candidates, "terms" | "size" | "usualCosine">,
  question: Pick<Question, "text">,
): CutFeatures {
  return {
    cover: Math.max(parts.cover, parts.ownCover),
    cosine: aboveUsual(parts.cosine, usualCosine),
    unknownNames: Math.min(MAX_NAMES, unknownNames(question.text, terms)),
    smallness: smallness(size),
  };
}

/** How far a cosine lies between what is usual for the question and 1. */
export function aboveUsual(cosine: number, usual: number): number {
  return usual >= 1 ? 0 : Math.max(0, (cosine - usual) / (1 - usual));
}

function unknownNames(text: string, terms: Candidates["terms"]): number {
  const names = new Set((text.match(NAME) ?? []).flatMap(readWords));
  return terms.filter(({ word, documents }) => documents === 0 && names.has(word)).length;
}
