import { cutEnding } from "./covered.ts";

const STOP_WORDS = new Set(
  [
    "the a an and or of to in on for with is are was were be been it its this that these those as by at from not no but",
    "if then so we i you they he she have has had do does did will would can could should may might also all any each",
    "more most other some such only own same than too very just into over under again further once here there when where",
    "why how both few nor which who whom what let me now",
  ].flatMap((line) => line.split(" ")),
);

export interface ProseShares {
  /** Share of the content words of the agent's own summary that the note has. */
  readonly narrative: number;
  /** Share of its pairs of successive content words. */
  readonly phrases: number;
}

/** Compares the prose of a note with the prose of the summary that the agent wrote. */
export function compareProse(ownSummary: string, note: string): ProseShares {
  const own = proseWords(ownSummary);
  const ours = proseWords(note);
  return { narrative: shareOf(new Set(own), new Set(ours)), phrases: shareOf(pairsOf(own), pairsOf(ours)) };
}

function shareOf(wanted: ReadonlySet<string>, got: ReadonlySet<string>): number {
  let common = 0;
  for (const item of wanted) if (got.has(item)) common += 1;
  return common / Math.max(1, wanted.size);
}

function pairsOf(words: readonly string[]): Set<string> {
  return new Set(words.slice(1).map((word, index) => `${words[index]} ${word}`));
}

/** The content words of a text in order, without code, paths and names in snake case or camel case. */
export function proseWords(text: string): string[] {
  const words =
    withoutCode(text)
      .toLowerCase()
      .match(/[a-z][a-z'-]+/g) ?? [];
  return words.filter((word) => word.length > 2 && !STOP_WORDS.has(word)).map(cutEnding);
}

function withoutCode(text: string): string {
  return text
    .replace(/```[\s\S]*?```/g, " ")
    .replace(/`[^`]*`/g, " ")
    .replace(/\S+/g, (run) => (/[/_]|[a-z][A-Z]/.test(run) ? " " : run));
}
