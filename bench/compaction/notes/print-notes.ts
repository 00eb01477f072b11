import { printTable } from "../../print-table.ts";
import { percent } from "../score.ts";
import type { NoteResults, NoteTable } from "./measure-notes.ts";
import type { NoteScore } from "./note-score.ts";

/** Prints a table for the sessions, the compactions, and the compactions of Codex. */
export function printNotes({ sessions, compactions, codex, genericIdentifiers, leftOut }: NoteResults): void {
  for (const table of [sessions, compactions, codex]) printNoteTable(table);
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
      score.size === "own" ? "agent's own" : score.size.toLocaleString("en-US"),
      score.policy.name,
      Math.round(score.tokens / score.notes),
      ...shares(score),
      score.overBudget,
      (score.milliseconds / score.notes).toFixed(1),
    ]),
  );
}

function shares(score: NoteScore): string[] {
  return [
    percentOf(score.covered, score.labels),
    percentOf(score.listTokens, score.tokens),
    mean(score.needed),
    mean(score.narrative),
    mean(score.phrases),
  ];
}

function percentOf(part: number, whole: number): string {
  return whole === 0 ? "–" : percent(part / whole);
}

function mean(values: readonly number[]): string {
  return percentOf(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  );
}
