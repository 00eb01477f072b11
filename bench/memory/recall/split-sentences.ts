const MIN_WORDS = 3;

/** The sentences and lines of a text that have at least three words. */
export function splitSentences(text: string): readonly string[] {
  return text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.split(/\s+/).length >= MIN_WORDS);
}
