import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { createThroughline, type Memory, type MemoryService } from "throughline";
import { printTable } from "../../print-table.ts";
import type { Conversation } from "../recall/conversation.ts";
import { readBeam } from "../recall/read-beam.ts";
import { readLocomo } from "../recall/read-locomo.ts";

const USAGE = "Usage: npm run bench -- memory forgetting --data FOLDER\nFOLDER contains locomo and beam.\n";
const DAY = 24 * 60 * 60 * 1_000;
const NIGHTS = 365;
/** Hits within which a memory must be found by its own words to count as recallable. */
const DEEP = 50;
const TARGET = 0.01;

/**
 * Measures the effect of a year of consolidation on evidence. Conversations are ingested, then a year passes without
 * questions, with a consolidation every night. Evidence memories come from turns that answer a question. One counts as
 * lost if a search with its own words finds neither it, nor its merge target, nor its source turn, nor anything else
 * with its value.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" } } });
  if (values.data === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const results: Result[] = [];
  const people = await readLocomo(path.join(values.data, "locomo"));
  const assistants = await readBeam(path.join(values.data, "beam", "100K"));
  for (const conversation of [...people, ...assistants]) results.push(await liveAYear(conversation));
  printTable(
    [
      "conversation",
      "evidence memories",
      "lost",
      "put away",
      "evidence turns in top 10",
      "a year later",
      "memories",
      "put away of all",
    ],
    results.map((result) => [
      result.name,
      result.evidence,
      result.lost,
      result.putAway,
      percent(result.before),
      percent(result.after),
      result.memories,
      result.away,
    ]),
  );
  const [lost, evidence] = [sum(results, "lost"), sum(results, "evidence")];
  const isReached = lost / evidence < TARGET;
  console.log(
    `No longer recallable after ${NIGHTS} nights: ${lost} of ${evidence} evidence memories, target < 1%: ${isReached ? "reached" : "missed"}.`,
  );
  return isReached ? 0 : 1;
}

interface Result {
  readonly name: string;
  readonly evidence: number;
  readonly lost: number;
  readonly putAway: number;
  /** Share of evidence turns among the first ten hits. */
  readonly before: number;
  readonly after: number;
  readonly memories: number;
  readonly away: number;
}

async function liveAYear(conversation: Conversation): Promise<Result> {
  let now = Math.max(...conversation.turns.map(({ at = 0 }) => at)) + DAY;
  const { memory } = await createThroughline({ clock: { now: () => now } });
  for (const [sessionId, turns] of Map.groupBy(conversation.turns, (turn) => turn.sessionId)) {
    const messages = turns.map(({ id, role, speaker, text, at }) => ({
      id,
      role,
      text,
      ...(speaker !== undefined && { name: speaker }),
      ...(at !== undefined && { at }),
    }));
    await memory.ingest({ sessionId, messages });
  }
  const answers = new Set(conversation.questions.flatMap(({ evidence }) => evidence));
  const all = await memory.list({ limit: 100_000 });
  const evidence = all.filter(({ source }) => answers.has(source.messageId ?? ""));
  const before = await evidenceFound(memory, conversation);
  for (let night = 0; night < NIGHTS; night += 1) {
    now += DAY;
    await memory.consolidate();
  }
  const kept = new Set((await memory.list({ limit: 100_000 })).map(({ id }) => id));
  const lost: Memory[] = [];
  for (const one of evidence) if (!(await isRecallable(memory, one))) lost.push(one);
  return {
    name: conversation.name,
    evidence: evidence.length,
    lost: lost.length,
    putAway: evidence.filter(({ id }) => !kept.has(id)).length,
    before,
    after: await evidenceFound(memory, conversation),
    memories: all.length,
    away: all.filter(({ id }) => !kept.has(id)).length,
  };
}

async function isRecallable(memory: MemoryService, { id, levels, source, value }: Memory): Promise<boolean> {
  const now = await memory.get(id);
  const hits = await memory.recall(levels.full, { limit: DEEP, cut: "none" });
  const ids = new Set([id, now?.supersededBy]);
  const saysValue = (text: string): boolean => value !== undefined && text.toLowerCase().includes(value.toLowerCase());
  return hits.some(
    (hit) =>
      ids.has(hit.id) || (hit.type === "turn" && hit.source.messageId === source.messageId) || saysValue(hit.text),
  );
}

async function evidenceFound(memory: MemoryService, { questions }: Conversation): Promise<number> {
  let [found, wanted] = [0, 0];
  for (const { text, evidence, isAnswerable } of questions) {
    if (!isAnswerable || evidence.length === 0) continue;
    const hits = await memory.recall(text, { limit: 10, cut: "none", from: "turns" });
    const ids = new Set(hits.map(({ source }) => source.messageId));
    found += evidence.filter((id) => ids.has(id)).length;
    wanted += evidence.length;
  }
  return found / wanted;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

function sum(results: readonly Result[], name: "lost" | "evidence"): number {
  return results.reduce((total, result) => total + result[name], 0);
}
