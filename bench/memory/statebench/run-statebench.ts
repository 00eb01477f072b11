import process from "node:process";
import { parseArgs } from "node:util";
import { createThroughline } from "throughline";
import { printTable } from "../../print-table.ts";
import { printFalseStale } from "./false-stale.ts";
import { type Question, readQuestions, type Step } from "./read-timelines.ts";

const USAGE = "Usage: npm run bench -- memory statebench --data FOLDER\nFOLDER contains statebench, locomo, beam.\n";
/** Tracks with supersession. */
const SUPERSESSION: readonly string[] = [
  "supersession",
  "supersession_detection",
  "repair_propagation",
  "environmental_freshness",
];
const TARGET = { stale: 0.06, kept: 1 };

interface Score {
  /** Share of contexts with something that must not be mentioned. */
  readonly stale: number;
  /** Share of required mentions that are in the context. */
  readonly mentioned: number;
}

interface Variant {
  readonly name: string;
  readonly give: (before: readonly Step[]) => readonly Step[];
}

const VARIANTS: readonly Variant[] = [
  {
    name: "conversation and initial facts",
    give: (before) => before.filter((step) => step.type === "turn" || step.isInitial),
  },
  { name: "with state writes", give: (before) => before },
];

/**
 * Builds contexts for the questions of StateBench, and counts outdated and required facts in them. Strings are compared
 * case-insensitively, as the authors do.
 */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { data: { type: "string" }, show: { type: "string" } },
  });
  if (values.data === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const questions = await readQuestions(values.data);
  if (values.show !== undefined) await show(questions, values.show);
  const reached: boolean[] = [];
  for (const variant of VARIANTS) reached.push(await printVariant(variant, questions));
  await printFalseStale(values.data);
  return reached.every(Boolean) ? 0 : 1;
}

/** A question, and the context of each method. */
interface Answered {
  readonly question: Question;
  readonly all: string;
  readonly keyed: string;
  readonly ours: string;
}

async function answer(question: Question, { give }: Variant): Promise<Answered> {
  const before = give(question.before);
  const { prompt } = question;
  return { question, all: everything(before), keyed: keyedState(before), ours: await answerContext(before, prompt) };
}

async function printVariant(variant: Variant, questions: readonly Question[]): Promise<boolean> {
  const answered: Answered[] = [];
  for (const question of questions) answered.push(await answer(question, variant));
  const tracks = [...new Set(questions.map(({ track }) => track))].sort();
  const superseded = answered.filter(({ question }) => SUPERSESSION.includes(question.track));
  const groups: readonly (readonly [string, readonly Answered[]])[] = [
    ...tracks.map((track) => [track, answered.filter(({ question }) => question.track === track)] as const),
    ["all", answered],
    ["those of supersession", superseded],
  ];
  console.log(`\n${variant.name}: stale contexts / needed strings present`);
  printTable(
    ["track", "questions", "everything in", "keyed state", "Throughline", "kept of what there is"],
    groups.map(([track, group]) => {
      const [all, ours] = [score(group, "all"), score(group, "ours")];
      const kept = percent(ours.mentioned / (all.mentioned || 1));
      return [track, group.length, cell(all), cell(score(group, "keyed")), cell(ours), kept];
    }),
  );
  const [all, ours] = [score(superseded, "all"), score(superseded, "ours")];
  const isReached = ours.stale <= TARGET.stale && ours.mentioned >= TARGET.kept * all.mentioned;
  console.log(`Target on the tracks of supersession (≤ 6% stale, 100% kept): ${isReached ? "reached" : "missed"}.`);
  return isReached;
}

function score(answered: readonly Answered[], way: "all" | "keyed" | "ours"): Score {
  let [stale, mentioned, needed] = [0, 0, 0];
  for (const { question, ...contexts } of answered) {
    const { mustMention, mustNotMention } = question;
    const context = contexts[way].toLowerCase();
    if (mustNotMention.some((text) => context.includes(text.toLowerCase()))) stale += 1;
    mentioned += mustMention.filter((text) => context.includes(text.toLowerCase())).length;
    needed += mustMention.length;
  }
  return { stale: stale / Math.max(1, answered.length), mentioned: needed === 0 ? 1 : mentioned / needed };
}

function cell({ stale, mentioned }: Score): string {
  return `${percent(stale)} / ${percent(mentioned)}`;
}

function percent(value: number): string {
  return `${Math.round(value * 100)}%`;
}

/** Prints the contexts of a track with an error. */
async function show(questions: readonly Question[], track: string): Promise<void> {
  for (const question of questions.filter((each) => each.track === track)) {
    for (const variant of VARIANTS) {
      const { all, ours } = await answer(question, variant);
      const isIn = (context: string) => (text: string) => context.toLowerCase().includes(text.toLowerCase());
      const stale = question.mustNotMention.filter(isIn(ours));
      const lost = question.mustMention.filter((text) => isIn(all)(text) && !isIn(ours)(text));
      if (stale.length + lost.length === 0) continue;
      console.log(
        `\n${question.timeline} (${variant.name}) ${question.prompt}\n  stale ${stale} lost ${lost}\n${ours}`,
      );
    }
  }
}

const BUDGET = 2_000;
const LIMIT = 100;

/** The context for a model: the recalled memories for the question. */
async function answerContext(before: readonly Step[], prompt: string): Promise<string> {
  let now = before[0]?.at ?? 0;
  const { memory } = await createThroughline({ clock: { now: () => now } });
  for (const step of before) {
    now = Math.max(now, step.at);
    if (step.type === "turn") {
      const { role, text, at } = step;
      await memory.ingest({ sessionId: "s", messages: [{ role, text, at }] });
    } else {
      const { key, value, at } = step;
      await memory.remember({ text: value, key, value, validFrom: at });
    }
  }
  now += 1;
  const hits = await memory.recall(prompt, { limit: LIMIT, cut: "none", budget: BUDGET });
  return hits.map(({ text }) => text).join("\n");
}

/** Baseline: all messages, verbatim. */
function everything(before: readonly Step[]): string {
  return before.map((step) => (step.type === "turn" ? step.text : step.value)).join("\n");
}

/** Baseline: the last value of every key. */
function keyedState(before: readonly Step[]): string {
  const state = new Map<string, string>();
  for (const step of before) if (step.type === "write") state.set(step.key, step.value);
  return [...state.values()].join("\n");
}
