import type { Label } from "../transcript.ts";

const MIN_SHARE = 0.6;
const UNIMPORTANT = new Set(["the", "and", "for", "with", "from", "that", "this", "into", "was", "are", "not"]);

/**
 * Counts the labels that a note contains: it has the label's quote, or one sentence or two adjacent ones have at least
 * 60% of the content words of the label.
 */
export function countCovered(labels: readonly Label[], note: string): number {
  return coveredLabels(labels, note).length;
}

export function coveredLabels(labels: readonly Label[], note: string): Label[] {
  const sentences = splitSentences(note).map(contentWords);
  return labels.filter(
    ({ text, quote }) => (quote && note.includes(quote)) || hasMostOf(contentWords(text), sentences),
  );
}

function hasMostOf(words: ReadonlySet<string>, sentences: readonly ReadonlySet<string>[]): boolean {
  if (words.size === 0) return false;
  return sentences.some((sentence, index) => {
    const next = sentences[index + 1];
    let common = 0;
    for (const word of words) if (sentence.has(word) || next?.has(word)) common += 1;
    return common / words.size >= MIN_SHARE;
  });
}

function splitSentences(text: string): string[] {
  return text.split(/(?<=[.!?:])\s+|\n+/).filter((sentence) => sentence !== "");
}

/** Words of at least three characters without common ones and without English endings. */
export function contentWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z0-9][\w.-]+/g) ?? [];
  return new Set(words.filter((word) => word.length > 2 && !UNIMPORTANT.has(word)).map(cutEnding));
}

/** Cuts one English ending off a word. */
export function cutEnding(word: string): string {
  return word.replace(/(?:ing|ed|es|s)$/, "");
}
