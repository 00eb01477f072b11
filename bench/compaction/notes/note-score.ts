import { countTokens } from "throughline";
import { countCovered } from "./measures/covered.ts";
import { listLines } from "./measures/list-lines.ts";
import { neededShare } from "./measures/needed.ts";
import { compareProse } from "./measures/prose.ts";
import type { NotePolicy } from "./note-policy.ts";
import type { NoteCase } from "./transcript.ts";

/** A number of tokens, or the size of the agent's own summary. */
export type NoteSize = number | "own";

/** A note may be larger than its budget by this factor before it counts as over budget. */
const TOLERANCE = 1.02;

/** Sums over the notes of one policy at one size. */
export interface NoteScore {
  readonly policy: NotePolicy;
  readonly size: NoteSize;
  notes: number;
  tokens: number;
  listTokens: number;
  labels: number;
  covered: number;
  overBudget: number;
  milliseconds: number;
  /** One share per note that has the measure. */
  readonly needed: number[];
  readonly narrative: number[];
  readonly phrases: number[];
}

export function startNoteScores(policies: readonly NotePolicy[], sizes: readonly NoteSize[]): NoteScore[] {
  return sizes.flatMap((size) =>
    policies
      .filter((policy) => size === "own" || policy.ownSizeOnly !== true)
      .map((policy) => ({
        policy,
        size,
        notes: 0,
        tokens: 0,
        listTokens: 0,
        labels: 0,
        covered: 0,
        overBudget: 0,
        milliseconds: 0,
        needed: [],
        narrative: [],
        phrases: [],
      })),
  );
}

/** Writes a note about a case for each score, and adds its measures. */
export async function scoreNotes(
  noteCase: NoteCase,
  scores: readonly NoteScore[],
  generic: ReadonlySet<string>,
): Promise<void> {
  const specific = { ...noteCase, needed: (noteCase.needed ?? []).filter((name) => !generic.has(name)) };
  for (const score of scores) {
    const budget = score.size === "own" ? countTokens(noteCase.ownSummary ?? "") : score.size;
    const start = performance.now();
    const note = await score.policy.write(noteCase, budget);
    score.milliseconds += performance.now() - start;
    addNote(score, specific, note, budget);
  }
}

function addNote(score: NoteScore, noteCase: NoteCase, note: string, budget: number): void {
  const tokens = countTokens(note);
  score.notes += 1;
  score.tokens += tokens;
  score.listTokens += countTokens(listLines(note));
  score.labels += noteCase.labels.length;
  score.covered += countCovered(noteCase.labels, note);
  if (tokens > budget * TOLERANCE) score.overBudget += 1;
  const needed = neededShare(noteCase.needed ?? [], note);
  if (needed !== undefined) score.needed.push(needed);
  if (noteCase.ownSummary === undefined) return;
  const { narrative, phrases } = compareProse(noteCase.ownSummary, note);
  score.narrative.push(narrative);
  score.phrases.push(phrases);
}
