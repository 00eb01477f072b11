import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs, promisify } from "node:util";
import { createThroughline, type RecallHit, type RecallOptions } from "throughline";
import { sqliteStore } from "throughline/sqlite";
import { printTargets } from "./print-targets.ts";
import { plainBm25 } from "./rankers.ts";

const USAGE =
  "Usage: npm run bench -- memory questions --data FOLDER\nFOLDER contains claude-code/sessions and claude-code/labels/questions.jsonl.\n";
const CLI = path.join(import.meta.dirname, "../../../packages/cli/dist/bin.js");
const LIMIT = 10;
const TARGETS = { first3: 0.65, first10: 0.8, quiet: 0.6 };
const BEFORE = { first3: 0.49, first10: 0.66, quiet: 0.35 };
/** Share of the words of a quote that a hit must contain to count as the evidence. */
const QUOTED = 0.6;

interface Evidence {
  readonly line: number;
  readonly quote?: string;
}

interface Labelled {
  readonly question: string;
  readonly session: string;
  /** Empty if the sessions have no answer. */
  readonly evidence: readonly Evidence[];
  readonly also?: readonly Evidence[];
  readonly other_evidence?: readonly Evidence[];
}

interface Hit {
  readonly id: string;
  readonly messageId?: string;
  readonly text: string;
}

type Ask = (question: string, cut: "calibrated" | "none") => Promise<readonly Hit[]>;
type IsRight = (hit: Hit) => boolean;

interface Score {
  readonly first3: number;
  readonly first10: number;
  /** Share of unanswerable questions that return nothing. */
  readonly quiet: number;
  /** Share of answerable questions whose evidence is in the first 10 after the default cut. */
  readonly first10Cut: number;
  readonly missed: readonly string[];
}

/** Measures whether questions about coding sessions find their evidence after `import --remember`. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" }, show: { type: "boolean" } } });
  if (values.data === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const sessions = path.join(values.data, "claude-code", "sessions");
  const labels = await readFile(path.join(values.data, "claude-code", "labels", "questions.jsonl"), "utf8");
  const questions = labels
    .split("\n")
    .filter(Boolean)
    .map((line): Labelled => JSON.parse(line));
  const right = await Promise.all(questions.map((question) => matcherOf(question, sessions)));
  const folder = await mkdtemp(path.join(os.tmpdir(), "throughline-questions-"));
  try {
    await importSessions(sessions, folder);
    const { ask, askBm25 } = await openImported(folder);
    const ours = await score(questions, right, ask);
    const bm25 = await score(questions, right, askBm25);
    if (values.show === true) console.log(`${ours.missed.join("\n")}\n`);
    return report(ours, bm25);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function report(ours: Score, bm25: Score): number {
  const name = {
    first3: "evidence in the first 3",
    first10: "evidence in the first 10",
    quiet: "unanswerable questions that return nothing",
  };
  const code = printTargets(
    (["first3", "first10", "quiet"] as const).map((key) => ({
      name: name[key],
      ours: ours[key],
      target: TARGETS[key],
      before: BEFORE[key],
      bm25: bm25[key],
    })),
  );
  console.log(`\nEvidence in the first 10 after the default cut: ${(100 * ours.first10Cut).toFixed(1)}%.`);
  return code;
}

async function importSessions(sessions: string, folder: string): Promise<void> {
  const files = (await readdir(sessions)).map((name) => path.join(sessions, name));
  await promisify(execFile)(process.execPath, [CLI, "--data", folder, "import", ...files, "--remember"], {
    maxBuffer: 1e9,
  });
}

/** Recall over the imported sessions: each project is asked, and the hits of all are sorted by their scores. */
async function openImported(folder: string): Promise<{ readonly ask: Ask; readonly askBm25: Ask }> {
  const store = sqliteStore(path.join(folder, "throughline.db"));
  const { memory } = await createThroughline({ store, userId: "local", allProjects: [] });
  const { memories, turns } = await memory.export();
  const projects = new Set([undefined, ...[...memories, ...turns].map(({ projectId }) => projectId)]);
  const opened = await Promise.all(
    [...projects].map((projectId) =>
      createThroughline({ store, userId: "local", ...(projectId === undefined ? {} : { projectId }) }),
    ),
  );
  const texts: readonly Hit[] = [
    ...turns.map(({ id, messageId, text }) => ({ id, text, ...(messageId && { messageId }) })),
    ...memories.map(({ id, levels }) => ({ id, text: levels.full })),
  ];
  const score = plainBm25(texts.map(({ text }) => text));
  return {
    ask: async (question, cut) => {
      const options: RecallOptions = { limit: LIMIT, cut };
      const lists = await Promise.all(opened.map((one) => one.memory.recall(question, options)));
      const hits = new Map(lists.flat().map((hit) => [hit.id, hit]));
      const sorted = [...hits.values()].sort((a, b) => b.score - a.score).slice(0, LIMIT);
      return sorted.map(toHit);
    },
    askBm25: async (question) => {
      const scores = score(question);
      const order = texts.map((hit, at) => ({ hit, score: scores[at] ?? 0 })).filter((one) => one.score > 0);
      return order
        .sort((a, b) => b.score - a.score)
        .slice(0, LIMIT)
        .map(({ hit }) => hit);
    },
  };
}

function toHit({ id, text, source: { messageId } }: RecallHit): Hit {
  return { id, text, ...(messageId === undefined ? {} : { messageId }) };
}

/** A hit is right if it is the message of the evidence, or contains most words of a quote. */
async function matcherOf(question: Labelled, sessions: string): Promise<IsRight> {
  const lines = (await readFile(path.join(sessions, `${question.session}.jsonl`), "utf8").catch(() => "")).split("\n");
  const ids = new Set(
    question.evidence.flatMap(({ line }): string[] => {
      const { uuid, message } = JSON.parse(lines[line] ?? "{}");
      return [uuid, message?.id].filter((id) => typeof id === "string");
    }),
  );
  const evidence = [...question.evidence, ...(question.also ?? []), ...(question.other_evidence ?? [])];
  const quotes = evidence.flatMap(({ quote }) => (quote ? [wordsOf(quote)] : []));
  return ({ id, messageId = "", text }) => {
    const words = wordsOf(text);
    const isQuoted = (quote: ReadonlySet<string>): boolean =>
      quote.size > 0 && [...quote].filter((word) => words.has(word)).length / quote.size >= QUOTED;
    return ids.has(id) || ids.has(messageId) || quotes.some(isQuoted);
  };
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\w./-]{3,}/g) ?? []);
}

async function score(questions: readonly Labelled[], right: readonly IsRight[], ask: Ask): Promise<Score> {
  const counts = { answerable: 0, first3: 0, first10: 0, first10Cut: 0, unanswerable: 0, quiet: 0 };
  const missed: string[] = [];
  for (const [at, { question, evidence }] of questions.entries()) {
    const cut = await ask(question, "calibrated");
    if (evidence.length === 0) {
      counts.unanswerable += 1;
      counts.quiet += cut.length === 0 ? 1 : 0;
      continue;
    }
    const isRight = right[at] as IsRight;
    const place = (await ask(question, "none")).findIndex(isRight);
    counts.answerable += 1;
    counts.first3 += place >= 0 && place < 3 ? 1 : 0;
    counts.first10 += place >= 0 ? 1 : 0;
    counts.first10Cut += cut.some(isRight) ? 1 : 0;
    if (place < 0) missed.push(question);
  }
  return {
    first3: counts.first3 / counts.answerable,
    first10: counts.first10 / counts.answerable,
    first10Cut: counts.first10Cut / counts.answerable,
    quiet: counts.quiet / counts.unanswerable,
    missed,
  };
}
