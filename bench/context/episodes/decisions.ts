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
    ["sessions", "labels", "covered", "lines that cover a label", "lines per session", "words per session"],
    [
      [
        scores.length,
        sum("labels"),
        percent(sum("covered"), sum("labels")),
        percent(sum("matching"), sum("lines")),
        mean(scores.map(({ lines }) => lines)).toFixed(1),
        Math.round(mean(scores.map(({ words }) => words))),
      ],
    ],
  );
  return 0;
}

/** Covered labels, lines about decisions and findings, those that cover a label, and words of a session's episodes. */
function scoreDecisions({ labels, episodes }: Pick<LabeledSession, "labels" | "episodes">) {
  const text = episodes.map(({ levels }) => levels.full).join("\n");
  const lines = text.split("\n").filter((line) => line.startsWith("- "));
  return {
    labels: labels.length,
    covered: countCovered(labels, text),
    lines: lines.length,
    matching: lines.filter((line) => countCovered(labels, line) > 0).length,
    words: text.split(/\s+/).length,
  };
}
