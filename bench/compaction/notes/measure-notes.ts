import process from "node:process";
import { type NotePolicy, notePolicies } from "./note-policy.ts";
import { type NoteScore, scoreNotes, startNoteScores } from "./note-score.ts";
import { isSetAside, readCases, readGenericIdentifiers } from "./read-cases.ts";
import type { NoteCase } from "./transcript.ts";

export interface NoteTable {
  readonly title: string;
  readonly scores: readonly NoteScore[];
  /** Sessions or compactions. */
  cases: number;
}

export interface NoteResults {
  readonly sessions: NoteTable;
  readonly compactions: NoteTable;
  readonly codex: NoteTable;
  readonly genericIdentifiers: number;
  /** Sessions that were left out because they are set aside for reading. */
  leftOut: number;
}

export interface NoteOptions {
  readonly data: string;
  readonly isWantedPolicy: (name: string) => boolean;
  /** True to include the sessions that are set aside for reading. */
  readonly all: boolean;
}

/**
 * Measures the notes of all policies about whole labeled sessions and at real compactions. Each session is read once.
 */
export async function measureNotes({ data, isWantedPolicy, all }: NoteOptions): Promise<NoteResults> {
  const policies = notePolicies.filter(({ name }) => isWantedPolicy(name));
  const generic = await readGenericIdentifiers(data);
  const results = startResults(policies, generic.size);
  const isWanted = (id: string) => {
    const isLeftOut = !all && isSetAside(id);
    if (isLeftOut) results.leftOut += 1;
    return !isLeftOut;
  };
  for await (const { agent, session, compactions } of readCases(data, isWanted)) {
    if (session.labels.length > 0) await addCase(results.sessions, session, generic);
    const table = agent === "codex" ? results.codex : results.compactions;
    // Short ids, because a note may contain the id of its session.
    for (const point of compactions) await addCase(table, { ...point, id: `p${table.cases}` }, generic);
    if (process.stderr.isTTY) process.stderr.write(`\r${session.id}`);
  }
  return results;
}

function startResults(policies: readonly NotePolicy[], genericIdentifiers: number): NoteResults {
  const writers = policies.filter(({ ownSizeOnly }) => ownSizeOnly !== true);
  return {
    sessions: { title: "Note of a whole labeled session", scores: startNoteScores(writers, [1_000, 2_500]), cases: 0 },
    compactions: {
      title: "Note at a real compaction",
      scores: startNoteScores(policies, ["own", 1_000, 2_500]),
      cases: 0,
    },
    codex: { title: "Note at a real compaction of Codex", scores: startNoteScores(writers, [1_000, 2_500]), cases: 0 },
    genericIdentifiers,
    leftOut: 0,
  };
}

async function addCase(table: NoteTable, noteCase: NoteCase, generic: ReadonlySet<string>): Promise<void> {
  table.cases += 1;
  await scoreNotes(noteCase, table.scores, generic);
}
