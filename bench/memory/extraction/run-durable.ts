import { readFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { createThroughline } from "throughline";
import { printTable } from "../../print-table.ts";
import {
  type DurableLabel,
  type DurableScore,
  type Extracted,
  type LabelledSession,
  modalSentences,
  newDurableScore,
  scoreSession,
} from "./score-durable.ts";

const USAGE =
  "Usage: npm run bench -- memory durable --data FOLDER\nFOLDER contains claude-code/labels and statements/utterances.jsonl.\n";

/** Targets without a model, and the figures of version 0.1 (found, precision). */
const SETS = {
  real: { target: { found: 0.2, precision: 0.6 }, before: "0% at 0%" },
  written: { target: { found: 0.35, precision: 0.85 }, before: "11% at 83%" },
} as const;

/**
 * Measures how many statements that should outlive their message are remembered without a model, and how many memories
 * are such statements: in messages of real coding sessions, and in written ones of which half state nothing.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" } } });
  if (values.data === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const sessions = {
    real: await readReal(path.join(values.data, "claude-code", "labels")),
    written: await readWritten(path.join(values.data, "statements", "utterances.jsonl")),
  };
  let isReached = true;
  const rows: (string | number)[][] = [];
  for (const name of ["real", "written"] as const) {
    const { target, before } = SETS[name];
    const score = await measure(sessions[name], remembered);
    const baseline = await measure(sessions[name], async (session) => modalSentences(session));
    const [found, precision] = [score.found / score.clear, score.right / score.facts];
    isReached &&= found >= target.found && precision >= target.precision;
    rows.push([
      name,
      score.messages,
      score.clear,
      score.facts,
      figures(score),
      `${percent(target.found)} at ${percent(target.precision)}`,
      before,
      figures(baseline),
    ]);
  }
  printTable(
    ["messages", "count", "clear", "memories", "found at precision", "target", "version 0.1", "modal verbs"],
    rows,
  );
  console.log(
    "\nA memory is right if its text or quote and a label of its session have words in common with an F1 of at least 0.5.",
  );
  return isReached ? 0 : 1;
}

async function measure(
  sessions: readonly LabelledSession[],
  extract: (session: LabelledSession) => Promise<readonly Extracted[]>,
): Promise<DurableScore> {
  const score = newDurableScore();
  for (const session of sessions) scoreSession(session, await extract(session), score);
  return score;
}

async function remembered({ messages }: LabelledSession): Promise<readonly Extracted[]> {
  const throughline = await createThroughline({});
  const { memories } = await throughline.memory.ingest({
    sessionId: "session",
    messages: messages.map((message) => ({ ...message, role: "user" })),
  });
  await throughline.close();
  return memories.map(({ memory: { levels, source } }) => [levels.full, source.quote ?? ""]);
}

interface RealTurn {
  readonly session: string;
  readonly uuid: string;
  readonly text: string;
  readonly at: string;
}

async function readReal(folder: string): Promise<LabelledSession[]> {
  const turns = await readLines<RealTurn>(path.join(folder, "turns.jsonl"));
  const labels = await readLines<DurableLabel & { session: string }>(path.join(folder, "durable.jsonl"));
  return [...Map.groupBy(turns, ({ session }) => session)].map(([id, said]) => ({
    messages: said.map(({ uuid, text, at }) => ({ id: uuid, text, at })),
    labels: labels.filter(({ session }) => session === id),
  }));
}

async function readWritten(file: string): Promise<LabelledSession[]> {
  const rows = await readLines<{ text: string; facts: DurableLabel[] }>(file);
  return rows.map(({ text, facts }) => ({ messages: [{ id: "m", text }], labels: facts }));
}

async function readLines<T>(file: string): Promise<T[]> {
  const lines = (await readFile(file, "utf8")).split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as T);
}

function figures({ clear, found, facts, right }: DurableScore): string {
  return `${percent(found / clear)} at ${percent(facts === 0 ? 0 : right / facts)}`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}
