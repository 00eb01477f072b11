import { readFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { createThroughline, type MemoryService } from "throughline";
import { printTable } from "../../print-table.ts";

const USAGE = "Usage: npm run bench -- memory updates --data FOLDER\nFOLDER contains statements/pairs.jsonl.\n";
const RELATIONS = ["supersedes", "contradicts", "compatible", "duplicate"] as const;
const DAY = 24 * 60 * 60 * 1_000;
const START = Date.parse("2026-05-01");

type Relation = (typeof RELATIONS)[number];

/** Two consecutive statements, with the relation of the second to the first. */
interface Pair {
  readonly a: string;
  readonly b: string;
  readonly relation: Relation;
}

/** Shares that the rules and a judge are to reach, and those of version 0.1 on development and held-out pairs. */
const TARGETS: Readonly<Record<Relation, { rules: number; judge: number; before: string }>> = {
  supersedes: { rules: 0.3, judge: 0.85, before: "8% / 0%" },
  contradicts: { rules: 0.25, judge: 0.95, before: "8% / 5%" },
  compatible: { rules: 0.97, judge: 0.99, before: "97% / 100%" },
  duplicate: { rules: 0.4, judge: 0.95, before: "3% / 3%" },
};

/** State of the first statement after the second. */
interface Outcome {
  readonly isEnded: boolean;
  readonly isOpen: boolean;
  readonly isMerged: boolean;
}

/**
 * Measures whether updates, contradictions and duplicates are noticed: without a model, and with one that answers by
 * the labels.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" } } });
  if (values.data === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const text = await readFile(path.join(values.data, "statements", "pairs.jsonl"), "utf8");
  const pairs = text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Pair]));
  const byRules = await Promise.all(pairs.map(tellAlone));
  const byJudge = await tellInOneStore(pairs);
  let isReached = true;
  const rows = RELATIONS.map((relation) => {
    const [rules, judge] = [share(pairs, byRules, relation), share(pairs, byJudge, relation)];
    const target = TARGETS[relation];
    isReached &&= rules >= target.rules && judge >= target.judge;
    const of = (shown: number, wanted: number) => `${percent(shown)} (≥ ${percent(wanted)})`;
    return [relation, of(rules, target.rules), of(judge, target.judge), target.before];
  });
  console.log("Pairs that are classified correctly (target)\n");
  printTable(["second statement", "no model", "perfect judge", "0.1, no model (dev / held out)"], rows);
  return isReached ? 0 : 1;
}

/** Each pair in a store of its own, without a model. */
async function tellAlone({ a, b }: Pair): Promise<Outcome> {
  let now = START;
  const throughline = await createThroughline({ clock: { now: () => now } });
  const { memory } = throughline;
  const first = await memory.remember({ text: a });
  now += 3 * DAY;
  const { outcome } = await memory.remember({ text: b });
  await memory.consolidate();
  const isEnded = (await hasEnded(memory, first.memory.id)) || outcome === "replaced";
  const isOpen = (await memory.contradictions()).length > 0;
  await throughline.close();
  return { isEnded, isOpen, isMerged: outcome === "merged" || (isEnded && outcome !== "replaced") };
}

/**
 * All first statements in one store; each second one meets all of them, and a model that answers by the labels. Each
 * first statement is saved alone before: statements of different pairs are not about each other, and none ends or
 * absorbs another.
 */
async function tellInOneStore(pairs: readonly Pair[]): Promise<readonly Outcome[]> {
  let now = START;
  const clock = { now: () => now };
  const saved = await Promise.all(pairs.map(({ a }) => saveAlone(a, clock)));
  const ids = saved.map(({ id }) => id);
  const [first] = saved;
  if (first === undefined) return [];
  const data = { ...first.data, memories: saved.flatMap((one) => one.data.memories) };
  now += 3 * DAY;
  const outcomes: Outcome[] = [];
  for (const [at, pair] of pairs.entries()) {
    const throughline = await createThroughline({ clock, model: labelJudge(pair) });
    await throughline.memory.import(data);
    outcomes.push(await tellSecond(throughline.memory, pair, ids[at] ?? ""));
    await throughline.close();
  }
  return outcomes;
}

async function saveAlone(text: string, clock: { now(): number }) {
  const throughline = await createThroughline({ clock });
  const { memory } = await throughline.memory.remember({ text });
  const data = await throughline.memory.export();
  await throughline.close();
  return { id: memory.id, data };
}

async function tellSecond(memory: MemoryService, { b }: Pair, id: string): Promise<Outcome> {
  const wasEnded = await hasEnded(memory, id);
  const before = new Set((await memory.contradictions()).map((one) => one.id));
  const said = await memory.remember({ text: b });
  const opened = (await memory.contradictions()).filter((one) => !before.has(one.id));
  return {
    isEnded: !wasEnded && (await hasEnded(memory, id)),
    isOpen: opened.some(({ memoryA, memoryB }) => memoryA === id || memoryB === id),
    isMerged: said.outcome === "merged" && said.memory.id === id,
  };
}

/** A model that gives the label to the first statement of the pair, if it is among the candidates. */
function labelJudge({ a, relation }: Pair) {
  const generate = async ({ prompt }: { readonly prompt: string }) => {
    const stored = [...prompt.matchAll(/<stored-(\d)>\n(.*)\n<\/stored-\d>/g)];
    const verdicts = stored.map(([, number, text]) => ({
      stored: Number(number),
      relation: text === plain(a) ? relation : "compatible",
    }));
    return { text: JSON.stringify(verdicts) };
  };
  return { modelId: "label-judge", generate };
}

/** A statement in the format of the prompt. */
function plain(text: string): string {
  return text.replaceAll("<", "‹").replaceAll(">", "›").replace(/\s+/g, " ").trim();
}

async function hasEnded(memory: MemoryService, id: string): Promise<boolean> {
  const found = await memory.get(id);
  return found?.validTo !== undefined || found?.archivedAt !== undefined;
}

function share(pairs: readonly Pair[], outcomes: readonly Outcome[], relation: Relation): number {
  const some = outcomes.filter((_, at) => pairs[at]?.relation === relation);
  return some.filter((outcome) => isRight(relation, outcome)).length / Math.max(1, some.length);
}

function isRight(relation: Relation, { isEnded, isOpen, isMerged }: Outcome): boolean {
  if (relation === "supersedes") return (isEnded && !isMerged) || isOpen;
  if (relation === "contradicts") return isOpen;
  return relation === "duplicate" ? isMerged : !isEnded && !isOpen && !isMerged;
}

function percent(value: number): string {
  return `${Math.round(value * 100)}%`;
}
