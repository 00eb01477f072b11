import { countTokens } from "throughline";
import { cutText } from "../../cut-text.ts";
import { proseWords } from "../measures/prose.ts";
import { saidIn } from "../part-text.ts";
import type { TranscriptMessage } from "../transcript.ts";
import { writeNames } from "./ranked-names.ts";
import { sentencesIn } from "./sentences.ts";

const PROSE_SHARE = 0.7;
/** Each pass accepts sentences with at least this share of the value that the pass before asked for. */
const STEP = 0.8;
const PASSES = 40;
/** Weight of a word that is in the note already. */
const SEEN_WEIGHT = 0.1;

interface Candidate {
  readonly text: string;
  readonly words: readonly string[];
  readonly tokens: number;
}

/**
 * A baseline that takes the sentences with the most frequent words that no chosen sentence has yet, in order of time,
 * followed by ranked identifiers. It contains many words of a summary and reads as fragments.
 */
export function bagSketch(messages: readonly TranscriptMessage[], budget: number): string {
  const candidates = findCandidates(messages);
  const prose = choose(candidates, budget * PROSE_SHARE);
  const names = writeNames(messages, budget - countTokens(prose) - 1);
  return cutText(`${prose}\n${names}`, budget, "start");
}

function findCandidates(messages: readonly TranscriptMessage[]): Candidate[] {
  const texts = messages.filter(({ role, isSummary }) => role === "assistant" || isSummary).map(saidIn);
  const sentences = [...new Set(texts.flatMap(sentencesIn))];
  return sentences.map((text) => ({ text, words: [...new Set(proseWords(text))], tokens: countTokens(text) + 1 }));
}

/** A greedy choice by value per token, in passes with a falling threshold, so that the time is linear. */
function choose(candidates: readonly Candidate[], budget: number): string {
  const frequency = new Map<string, number>();
  for (const word of candidates.flatMap(({ words }) => words)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const seen = new Set<string>();
  const wordValue = (word: string) => (seen.has(word) ? SEEN_WEIGHT : 1) * Math.log1p(frequency.get(word) ?? 0);
  const valuePerToken = ({ words, tokens }: Candidate) =>
    words.reduce((sum, word) => sum + wordValue(word), 0) / tokens;
  const chosen = new Set<Candidate>();
  let threshold = candidates.reduce((best, candidate) => Math.max(best, valuePerToken(candidate)), 0);
  let room = budget;
  for (let pass = 0; pass < PASSES; pass += 1, threshold *= STEP) {
    for (const candidate of candidates) {
      if (chosen.has(candidate) || candidate.tokens > room || valuePerToken(candidate) < threshold) continue;
      chosen.add(candidate);
      room -= candidate.tokens;
      for (const word of candidate.words) seen.add(word);
    }
  }
  return candidates
    .filter((candidate) => chosen.has(candidate))
    .map(({ text }) => text)
    .join("\n");
}
