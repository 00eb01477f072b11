import { printTable } from "../../print-table.ts";
import { percent } from "../score.ts";
import type { NoteResults, NoteTable } from "./measure-notes.ts";
import type { NoteScore, NoteSize } from "./note-score.ts";

type Measure = "covered" | "listTokens" | "needed" | "narrative" | "phrases";

interface NoteTarget {
  readonly table: "sessions" | "compactions";
  readonly size: NoteSize;
  readonly measure: Measure;
  readonly min?: number;
  readonly max?: number;
}

const OURS = "throughline";
const TARGETS: readonly NoteTarget[] = [
  { table: "sessions", size: 2_500, measure: "covered", min: 0.65 },
  { table: "sessions", size: 1_000, measure: "covered", min: 0.4 },
  { table: "sessions", size: 2_500, measure: "listTokens", max: 0.33 },
  { table: "compactions", size: "own", measure: "needed", min: 0.9 },
  { table: "compactions", size: 1_000, measure: "needed", min: 0.7 },
  { table: "compactions", size: "own", measure: "narrative", min: 0.45 },
  { table: "compactions", size: "own", measure: "phrases", min: 0.15 },
];

/** Prints a table for the sessions, the compactions, and the compactions of Codex. */
export function printNotes(results: NoteResults): void {
  const { sessions, compactions, codex, genericIdentifiers, leftOut } = results;
  for (const table of [sessions, compactions, codex]) printNoteTable(table);
  console.log("");
  for (const line of checkNoteTargets(results)) console.log(line);
  console.log(
    genericIdentifiers === 0
      ? "\nneeded: no generic-identifiers.txt in the data folder or in ../metrics, so generic names count too."
      : `\nneeded: without the ${genericIdentifiers.toLocaleString("en-US")} names of generic-identifiers.txt.`,
  );
  if (leftOut === 0) return;
  console.log(
    `Left out: ${leftOut} sessions that are set aside for reading (ids that begin with 0 to 3; Codex ids begin with the ` +
      "date, so all of them do). --all includes them.",
  );
}

function printNoteTable({ title, scores, cases }: NoteTable): void {
  console.log(`\n${title}: ${cases} cases`);
  if (cases === 0 || scores.length === 0) return;
  printTable(
    [
      "size",
      "policy",
      "mean tokens",
      "covered",
      "listTokens",
      "needed",
      "narrative",
      "phrases",
      "over budget",
      "ms/note",
    ],
    scores.map((score) => [
      sizeName(score.size),
      score.policy.name,
      Math.round(score.tokens / score.notes),
      ...Object.values(shares(score)).map(percentOrDash),
      score.overBudget,
      (score.milliseconds / score.notes).toFixed(1),
    ]),
  );
}

/** One line per target that was measured. */
export function checkNoteTargets(results: Pick<NoteResults, "sessions" | "compactions">): string[] {
  return TARGETS.flatMap(({ table, size, measure, min = 0, max = 1 }) => {
    const ours = results[table].scores.find((score) => score.policy.name === OURS && score.size === size);
    const share = ours === undefined ? undefined : shares(ours)[measure];
    if (share === undefined) return [];
    const holds = share >= min && share <= max;
    const target = max < 1 ? `≤ ${100 * max}%` : `≥ ${100 * min}%`;
    const where = `${results[table].title.toLowerCase()}, size ${sizeName(size)}`;
    return [`${holds ? "met" : "FAILS"}  ${measure} ${target} (${where}): ${percent(share)}`];
  });
}

function sizeName(size: NoteSize): string {
  return size === "own" ? "agent's own" : size.toLocaleString("en-US");
}

/** In the order of the columns. Undefined if no case has the measure. */
function shares(score: NoteScore): Record<Measure, number | undefined> {
  return {
    covered: shareOf(score.covered, score.labels),
    listTokens: shareOf(score.listTokens, score.tokens),
    needed: mean(score.needed),
    narrative: mean(score.narrative),
    phrases: mean(score.phrases),
  };
}

function shareOf(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}

function mean(values: readonly number[]): number | undefined {
  return shareOf(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  );
}

function percentOrDash(share: number | undefined): string {
  return share === undefined ? "–" : percent(share);
}
