import { BestDocuments } from "./best-documents.ts";
import {
  type Background,
  briefWeights,
  maxPersonAndDateScore,
  personAndDateScore,
  type ScoredIndex,
  weightOfMeaning,
} from "./score-document.ts";
import { SCORE } from "./scratch.ts";

/** Turns before and after a good candidate that are candidates too: its words and meaning count for its neighbors. */
const BESIDE = 2;

/** The documents of each index to score in full: the best by words and the best by meaning. */
export function selectCandidates(
  indexes: readonly ScoredIndex[],
  background: Background,
  count: number,
): readonly Uint32Array[] {
  const byWords = new BestDocuments(count);
  const byMeaning = new BestDocuments(count);
  indexes.forEach((index, place) => {
    offerByWords(index, place, background, byWords);
    offerByMeaning(index, place, background, byMeaning);
  });
  return indexes.map((_, place) => Uint32Array.from(new Set([...byWords.of(place), ...byMeaning.of(place)])));
}

/** Every visible document of an index. */
export function allDocuments({ view }: ScoredIndex): Uint32Array {
  const { visible, size } = view;
  const all = new Uint32Array(size);
  let count = 0;
  for (let document = 0; count < size; document += 1) {
    if (visible[document] !== 1) continue;
    all[count] = document;
    count += 1;
  }
  return all;
}

function offerByWords(index: ScoredIndex, place: number, background: Background, best: BestDocuments): void {
  const { touched, touchedCount, scores } = index.scratch;
  const most = maxPersonAndDateScore(index, background);
  const { words, cover, ownCover } = briefWeights(background);
  let least = best.least - most;
  for (let at = 0; at < touchedCount; at += 1) {
    const document = touched[at] as number;
    const start = SCORE.size * document;
    const brief =
      words * (scores[start + SCORE.words] as number) +
      cover * (scores[start + SCORE.cover] as number) +
      ownCover * (scores[start + SCORE.ownCover] as number);
    if (brief <= least) continue;
    best.offer(place, document, most === 0 ? brief : brief + personAndDateScore(index, document, background));
    least = best.least - most;
  }
}

function offerByMeaning(index: ScoredIndex, place: number, background: Background, best: BestDocuments): void {
  const weight = weightOfMeaning(background);
  if (weight === 0) return;
  const most = maxPersonAndDateScore(index, background);
  index.meaning?.eachAbove((document, cosine) => {
    const beside = most === 0 ? 0 : personAndDateScore(index, document, background);
    best.offer(place, document, weight * cosine + beside);
    return (best.least - most) / weight;
  });
}

/** The visible turns beside the given documents, each once, that are not among the known ones. */
export function turnsBeside(
  { view, scratch: { selected } }: ScoredIndex,
  documents: readonly number[],
  known: Uint32Array,
): Uint32Array {
  const { neighbors } = view.index;
  const beside: number[] = [];
  for (const document of known) selected[document] = 1;
  const add = (document: number): void => {
    if (document < 0 || view.visible[document] !== 1 || selected[document] === 1) return;
    selected[document] = 1;
    beside.push(document);
  };
  for (const document of documents) {
    for (let step = 0, [before, after] = [document, document]; step < BESIDE; step += 1) {
      before = before < 0 ? -1 : neighbors.before(before);
      after = after < 0 ? -1 : neighbors.after(after);
      add(before);
      add(after);
    }
  }
  for (const document of [...known, ...beside]) selected[document] = 0;
  return Uint32Array.from(beside);
}
