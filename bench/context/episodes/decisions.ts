import { splitSentences } from "../../../packages/throughline/src/language/sentences.ts";
import { countCovered } from "../../compaction/notes/measures/covered.ts";
import { printTable } from "../../print-table.ts";
import { type LabeledSession, mean, percent, readLabeledSessions, readOptions } from "./labeled-sessions.ts";

/** Measures how many of the labeled decisions and findings the episodes have, and in how many words. */
export async function run(args: readonly string[]): Promise<number> {
  const options = readOptions("decisions", args);
  if (options === undefined) return 2;
  const scores = (await readLabeledSessions(options)).map(scoreDecisions);
  const sum = (name: keyof (typeof scores)[number]) => scores.reduce((total, score) => total + score[name], 0);
  printTable(
    ["sessions", "labels", "covered", "paragraphs with a label", "sentences with a label", "words per session"],
    [
      [
        scores.length,
        sum("labels"),
        percent(sum("covered"), sum("labels")),
        share(sum("matching"), sum("paragraphs"), scores.length),
        share(sum("matchingSentences"), sum("sentences"), scores.length),
        Math.round(mean(scores.map(({ words }) => words))),
      ],
    ],
  );
  return 0;
}

/** A part in percent, and how many there are per session. */
function share(part: number, whole: number, sessions: number): string {
  return `${percent(part, whole)} of ${(whole / Math.max(1, sessions)).toFixed(1)}`;
}

/** Covered labels, paragraphs and sentences about decisions and findings, those that cover a label, and words. */
function scoreDecisions({ labels, episodes }: Pick<LabeledSession, "labels" | "episodes">) {
  const text = episodes.map(({ levels }) => levels.full).join("\n");
  const paragraphs = text.split("\n").filter((line) => line.startsWith("- "));
  const sentences = paragraphs.flatMap((line) => splitSentences(line.slice(2)).map((sentence) => sentence.text));
  const matching = (lines: readonly string[]) => lines.filter((line) => countCovered(labels, line) > 0).length;
  return {
    labels: labels.length,
    covered: countCovered(labels, text),
    paragraphs: paragraphs.length,
    matching: matching(paragraphs),
    sentences: sentences.length,
    matchingSentences: matching(sentences),
    words: text.split(/\s+/).length,
  };
}
