import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { printTable } from "../../print-table.ts";
import { type Dialogue, readDialogues } from "./read-dialogues.ts";
import { type ExtractionScore, newScore, scoreDialogue } from "./score-extraction.ts";

const USAGE = "Usage: npm run bench -- memory extraction --data FOLDER\nFOLDER contains msc_personasummary/*.jsonl.\n";

/**
 * Measures precision and recall of rule-based extraction against facts that annotators wrote down, without a target:
 * annotators rewrite and infer, memories keep the words of the speaker.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" } } });
  if (values.data === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const dialogues = await readDialogues(path.join(values.data, "msc_personasummary"));
  const files = [...new Set(dialogues.map(({ file }) => file))];
  const halves: readonly (readonly [string, (dialogue: Dialogue) => boolean])[] = [
    ["made with", ({ people }) => people % 2 === 0],
    ["held out", ({ people }) => people % 2 === 1],
  ];
  const rows = halves.flatMap(([half, isOf]) => [
    ...files.map((file) => [half, file, score(dialogues.filter((each) => each.file === file && isOf(each)))] as const),
    [half, "all", score(dialogues.filter(isOf))] as const,
  ]);
  const start = performance.now();
  const total = score(dialogues);
  const perTurn = ((performance.now() - start) * 1_000) / Math.max(1, total.turns);
  printTable(
    ["dialogues", "file", "turns", "gold", "facts", "precision", "F1 alone", "with repeats", "recall"],
    [...rows, ["both", "all", total] as const].map(([half, file, each]) => [half, file, ...cells(each)]),
  );
  explain(perTurn);
  return 0;
}

function score(dialogues: readonly Dialogue[]): ExtractionScore {
  const total = newScore();
  for (const dialogue of dialogues) scoreDialogue(dialogue, total);
  return total;
}

function cells({ turns, gold, found, facts, matched, right, elsewhere }: ExtractionScore): (string | number)[] {
  return [
    turns,
    gold,
    facts,
    share(right, facts),
    share(matched, facts),
    share(right + elsewhere, facts),
    share(found, gold),
  ];
}

function share(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)}%`;
}

function explain(perTurn: number): void {
  console.log(
    [
      "",
      "A fact is right where it, or the words that it quotes, and one gold sentence of the same turn have stems in common with",
      "an F1 of at least 0.5 (F1 alone), or two thirds of its stems are in the gold sentences of that turn together.",
      "Stems by Porter, without stop words, negations kept; like, love and favorite are one word, as kid and child are. A turn",
      "without gold makes every fact wrong. With repeats: also right if it was written down at another utterance of the speaker.",
      "Recall: gold sentences with such a fact (F1). Most gold is inferred by the reader, and nothing is inferred here.",
      `${perTurn.toFixed(0)} µs per turn.`,
    ].join("\n"),
  );
}
