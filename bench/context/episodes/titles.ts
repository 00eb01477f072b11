import { contentWords } from "../../compaction/notes/measures/covered.ts";
import { printTable } from "../../print-table.ts";
import { mean, readLabeledSessions, readOptions } from "./labeled-sessions.ts";

/**
 * Compares the titles of episodes, with their dates, with the headlines that a person gave to the sessions, and prints
 * all of them.
 */
export async function run(args: readonly string[]): Promise<number> {
  const options = readOptions("titles", args);
  if (options === undefined) return 2;
  const rows = (await readLabeledSessions(options)).map(({ headline, episodes }) => {
    const titles = episodes.map(({ levels }) => levels.full.split("\n", 1)[0] ?? "");
    return { headline, titles, score: Math.max(0, ...titles.map((title) => wordF1(title, headline))) };
  });
  printTable(
    ["F1", "headline", "titles"],
    rows.map(({ score, headline, titles }) => [score.toFixed(2), headline, titles.join(" // ")]),
  );
  console.log(`Mean F1 of ${rows.length} sessions: ${mean(rows.map(({ score }) => score)).toFixed(3)}`);
  return 0;
}

/** F1 of the content words of two texts. */
export function wordF1(one: string, other: string): number {
  const [a, b] = [contentWords(one), contentWords(other)];
  const common = [...a].filter((word) => b.has(word)).length;
  return common === 0 ? 0 : (2 * common) / (a.size + b.size);
}
