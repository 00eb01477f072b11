import { readWords } from "../../../language/words.ts";
import type { Candidate, Candidates, Question } from "../../search/search.ts";
import { type CutFeatures, smallness } from "./cut-model.ts";

/** A capitalized word that does not begin a sentence. */
const NAME = /(?<=[\p{L}\p{N},;:'’]\s+)\p{Lu}[\p{L}\p{N}]+/gu;
const MAX_NAMES = 2;
/** Minimum position between the mean cosine (0) and 1 (1) of a memory that is close in meaning. */
const MIN_CLOSE = 0.4;

/**
 * Reads the features of the candidates of a query for the cut. Words that occur in most texts are not evidence by
 * themselves.
 */
export function featureReader(
  { terms, size, usualCosine, person, isForeign }: Omit<Candidates, "candidates">,
  question: Pick<Question, "text">,
): (candidate: Candidate) => CutFeatures {
  const isVague = terms.every(({ specificity }) => specificity === 0);
  const isNamed = person !== undefined && person !== "user";
  const names = Math.min(MAX_NAMES, unknownNames(question.text, terms));
  const absent = absentShare(terms) * (1 - smallness(size));
  return ({ parts, type }) => {
    const cosine = aboveUsual(parts.cosine, usualCosine);
    return {
      cover: isVague ? 0 : Math.max(parts.cover, parts.ownCover),
      cosine,
      knownPerson: parts.person > 0 && isNamed ? 1 : 0,
      unknownNames: names,
      closeness: type === "memory" && !isVague && !isForeign ? Math.max(0, cosine - MIN_CLOSE) : 0,
      absent: absent * (1 - cosine),
    };
  };
}

/** Position of a cosine between the query's mean cosine (0) and 1 (1). */
export function aboveUsual(cosine: number, usual: number): number {
  return usual >= 1 ? 0 : Math.max(0, (cosine - usual) / (1 - usual));
}

/** Share of the query's specific words that no visible document has; 1 if it has no specific word. */
function absentShare(terms: Candidates["terms"]): number {
  const sum = (some: Candidates["terms"]): number => some.reduce((total, { specificity }) => total + specificity, 0);
  const all = sum(terms);
  return all === 0 ? 1 : sum(terms.filter(({ documents }) => documents === 0)) / all;
}

function unknownNames(text: string, terms: Candidates["terms"]): number {
  const names = new Set((text.match(NAME) ?? []).flatMap(readWords));
  return terms.filter(({ word, documents }) => documents === 0 && names.has(word)).length;
}
