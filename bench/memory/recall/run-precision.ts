import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { printTable } from "../../print-table.ts";
import type { AskedQuestion, Conversation } from "./conversation.ts";
import { fitCut } from "./fit-cut.ts";
import { readBeam } from "./read-beam.ts";
import { readLocomo } from "./read-locomo.ts";
import { type Asked, askQuestion, indexConversation, recall } from "./throughline-ranker.ts";

const USAGE =
  "Usage: npm run bench -- memory precision --data FOLDER [--fit]\nFOLDER contains locomo/locomo-dev.json and beam/100K.\n";
const LIMIT = 10;
const TARGETS = { precisionTimes: 2, recallLost: 3, foreignHits: 1 };

/** Results for one kind of question, with the cut-off and without. */
interface Outcome {
  readonly hits: number;
  /** Share of evidence among all results, and the same averaged over questions. */
  readonly precision: number;
  readonly precisionMean: number;
  readonly recall: number;
  readonly nothing: number;
}

interface Ready {
  readonly conversation: Conversation;
  readonly asked: Asked;
}

/** Measures whether the cut-off returns exactly the relevant results. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" }, fit: { type: "boolean" } } });
  if (values.data === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const locomo = await ready(await readLocomo(path.join(values.data, "locomo")));
  const beam = await ready(await readBeam(path.join(values.data, "beam", "100K")));
  if (values.fit === true) await fitCut([...locomo, ...beam]);
  const own = await report("LoCoMo", locomo);
  await report("BEAM", beam);
  return judge(own);
}

async function ready(conversations: readonly Conversation[]): Promise<Ready[]> {
  return Promise.all(
    conversations.map(async (conversation) => ({ conversation, asked: await indexConversation(conversation) })),
  );
}

interface Report {
  readonly cut: Outcome;
  readonly all: Outcome;
  readonly foreign: Outcome;
}

async function report(name: string, spaces: readonly Ready[]): Promise<Report> {
  const isOwn = ({ isAnswerable, evidence }: AskedQuestion): boolean => isAnswerable && evidence.length > 0;
  const own = pairs(spaces, (a, b) => a === b, isOwn);
  const foreign = pairs(spaces, (a, b) => a !== b, isOwn);
  const unanswerable = pairs(
    spaces,
    (a, b) => a === b,
    ({ isAnswerable }) => !isAnswerable,
  );
  const renamed = foreign.map(([space, question]) => [space, rename(question, space.conversation, spaces)] as const);
  const cut = await outcome(own, "calibrated");
  const all = await outcome(own, "none");
  const foreignCut = await outcome(foreign, "calibrated");
  console.log(`${name}, at most ${LIMIT} hits\n`);
  printTable(
    ["questions", "number", "cut", "hits", "precision", "mean of questions", "recall", "nothing given"],
    [
      ["own", own.length, "none", ...cells(all)],
      ["own", own.length, "calibrated", ...cells(cut)],
      ["of other conversations", foreign.length, "calibrated", ...cells(foreignCut)],
      ["… with the names of this one", renamed.length, "calibrated", ...cells(await outcome(renamed, "calibrated"))],
      ["unanswerable", unanswerable.length, "calibrated", ...cells(await outcome(unanswerable, "calibrated"))],
    ],
  );
  console.log("");
  return { cut, all, foreign: foreignCut };
}

type Pair = readonly [Ready, AskedQuestion];

/** Questions of one conversation asked of another. */
function pairs(
  spaces: readonly Ready[],
  areAsked: (of: Ready, from: Ready) => boolean,
  isWanted: (question: AskedQuestion) => boolean,
): Pair[] {
  return spaces.flatMap((of) =>
    spaces
      .filter((from) => areAsked(of, from))
      .flatMap((from) =>
        from.conversation.questions
          .filter(isWanted)
          .map((question): Pair => [of, from === of ? question : { ...question, evidence: [] }]),
      ),
  );
}

/** The question with the names of its people replaced by those of the participants here. */
function rename(question: AskedQuestion, { turns }: Conversation, spaces: readonly Ready[]): AskedQuestion {
  const here = [...new Set(turns.map(({ speaker }) => speaker))].filter((name) => name !== undefined);
  const everybody = new Set(spaces.flatMap(({ conversation }) => conversation.turns.map(({ speaker }) => speaker)));
  const others = [...everybody].filter((name) => name !== undefined && !here.includes(name));
  const text = others.reduce<string>(
    (said, name, at) => said.replaceAll(new RegExp(`\\b${name}\\b`, "g"), here[at % Math.max(1, here.length)] ?? ""),
    question.text,
  );
  return { ...question, text };
}

async function outcome(asked: readonly Pair[], cut: "calibrated" | "none"): Promise<Outcome> {
  const results: { readonly hits: number; readonly right: number; readonly evidence: number }[] = [];
  for (const [space, { text, evidence }] of asked) {
    const question = await askQuestion({ text }, space.asked);
    const hits = recall(space.conversation, space.asked, question, { limit: LIMIT, cut });
    const right = hits.filter((id) => evidence.includes(id)).length;
    results.push({ hits: hits.length, right, evidence: Math.max(1, evidence.length) });
  }
  const mean = (of: (result: (typeof results)[number]) => number): number =>
    results.reduce((sum, result) => sum + of(result), 0) / Math.max(1, results.length);
  return {
    hits: mean(({ hits }) => hits),
    precision:
      mean(({ right }) => right) /
      Math.max(
        1e-9,
        mean(({ hits }) => hits),
      ),
    precisionMean: mean(({ hits, right }) => right / Math.max(1, hits)),
    recall: mean(({ right, evidence }) => right / evidence),
    nothing: mean(({ hits }) => (hits === 0 ? 1 : 0)),
  };
}

function cells({ hits, precision, precisionMean, recall: found, nothing }: Outcome): string[] {
  const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
  return [hits.toFixed(2), percent(precision), percent(precisionMean), percent(found), percent(nothing)];
}

function judge({ cut, all, foreign }: Report): number {
  const lost = 100 * (all.recall - cut.recall);
  const times = cut.precisionMean / all.precisionMean;
  const pooled = cut.precision / all.precision;
  const verdicts: readonly (readonly [string, boolean])[] = [
    [`recall lost to the cut at most ${TARGETS.recallLost} points: ${lost.toFixed(1)}`, lost <= TARGETS.recallLost],
    [
      `precision (mean of questions) at least ${TARGETS.precisionTimes}× that of the first ten: ${times.toFixed(2)}×`,
      times >= TARGETS.precisionTimes,
    ],
    [
      `precision (of all turns given out) at least ${TARGETS.precisionTimes}×: ${pooled.toFixed(2)}×`,
      pooled >= TARGETS.precisionTimes,
    ],
    [
      `at most ${TARGETS.foreignHits} hit for questions of other conversations: ${foreign.hits.toFixed(2)}`,
      foreign.hits <= TARGETS.foreignHits,
    ],
  ];
  for (const [target, holds] of verdicts) console.log(`Target: ${target}, ${holds ? "met" : "missed"}.`);
  return verdicts.every(([, holds]) => holds) ? 0 : 1;
}
