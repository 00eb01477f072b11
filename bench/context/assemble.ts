import process from "node:process";
import { parseArgs } from "node:util";
import type {
  AssembledContext,
  ContextReceipt,
  Signal,
  Tier,
} from "../../packages/throughline/src/context/context-api.ts";
import { recordSession } from "../../packages/throughline/src/context/episodes/record-session.ts";
import { learnWorkflows } from "../../packages/throughline/src/context/workflows/learn-workflows.ts";
import type { IngestMessage } from "../../packages/throughline/src/memory/service/memory-api.ts";
import type { Message } from "../../packages/throughline/src/message/message.ts";
import { inProcessStore } from "../../packages/throughline/src/store/in-process.ts";
import { createThroughline, type Throughline } from "../../packages/throughline/src/throughline.ts";
import type { TranscriptSession } from "../../packages/throughline/src/transcript/transcript.ts";
import { type Cell, printTable } from "../print-table.ts";
import { LaterNames } from "./later-names.ts";
import { type ReplayPoint, readFolders, splitSession } from "./replay-points.ts";

const USAGE = "Usage: npm run bench -- context assemble --data FOLDER [--budget 8000] [--limit N] [--show]\n";
const BUDGET = 8_000;
const GOAL = 0.85;
const OWNER = "bench";
const QUIET = { info: () => undefined, warn: () => undefined };

/** Tokens, and how many of them stand on lines that name something of what came later. */
interface Tally {
  tokens: number;
  /** Of what somebody typed: people, the agent, its calls. */
  typed: number;
  /** Or of what a tool showed. */
  shown: number;
}

/** The share of an assembled context that the rest of a real session then uses. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: "string" },
      budget: { type: "string" },
      limit: { type: "string" },
      show: { type: "boolean" },
    },
  });
  if (values.data === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const measurement = new Measurement(Number(values.budget ?? BUDGET), values.show ?? false);
  for (const [folder, sessions] of await readFolders(values.data)) {
    if (measurement.points >= Number(values.limit ?? Number.POSITIVE_INFINITY)) break;
    process.stderr.write(`${sessions.length} sessions of a folder …\n`);
    await replayFolder(folder, sessions, measurement);
  }
  return measurement.print() >= GOAL ? 0 : 1;
}

/** Sessions of one folder, one after the other: at each, what came before is remembered, and what comes is measured. */
async function replayFolder(
  folder: string,
  sessions: readonly TranscriptSession[],
  measurement: Measurement,
): Promise<void> {
  let now = 0;
  const clock = { now: () => now };
  const store = inProcessStore(clock);
  const throughline = await createThroughline({ store, clock, userId: OWNER, projectId: folder });
  const ports = {
    memory: throughline.memory,
    documents: store.documents,
    owner: OWNER,
    projectId: folder,
    logger: QUIET,
  };
  const observe = (signal: Signal) => throughline.context.on(signal);
  const remember = async ({ id, meta }: TranscriptSession, messages: readonly Message[]): Promise<void> => {
    now = Math.max(now, ...messages.map(({ createdAt }) => createdAt));
    const said = messages.flatMap((message) => speechOf(message) ?? []);
    await throughline.memory.ingest({ sessionId: id, messages: said });
    await recordSession({ ...ports, observe }, { sessionId: id, folder, title: meta.title, messages });
    await learnWorkflows(ports);
  };
  for (const session of sessions) {
    const point = splitSession(session);
    if (point !== undefined) {
      await remember(session, point.before);
      measurement.add(point, await assembleAt(throughline, point, measurement.budget));
    }
    await remember(session, session.messages);
  }
  await throughline.close();
}

function assembleAt(
  { context }: Throughline,
  { request, signals }: ReplayPoint,
  budget: number,
): Promise<AssembledContext> {
  return context.assemble({ budget, signals, ...(request !== "" && { message: request }) });
}

function speechOf({ id, role, createdAt, parts }: Message): IngestMessage | undefined {
  if (role !== "user" && role !== "assistant") return undefined;
  const texts = parts.flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : []));
  const text = texts.join("\n\n").trim();
  return text === "" ? undefined : { id, role, text, ...(createdAt > 0 && { at: createdAt }) };
}

/** What all points add up to. */
class Measurement {
  readonly budget: number;
  readonly #isShown: boolean;
  readonly #all: Tally = { tokens: 0, typed: 0, shown: 0 };
  readonly #byTier = new Map<string, Tally>();
  readonly #byRule = new Map<string, Tally>();
  readonly #shares: number[] = [];
  points = 0;
  #empty = 0;

  constructor(budget: number, isShown: boolean) {
    this.budget = budget;
    this.#isShown = isShown;
  }

  add({ after, session }: ReplayPoint, { context, tokenCount, receipt }: AssembledContext): void {
    this.points += 1;
    if (tokenCount === 0) this.#empty += 1;
    const [typed, shown] = [new LaterNames(after, false), new LaterNames(after, true)];
    if (this.#isShown) console.log(`\n=== ${session.id}\n`);
    const before = { ...this.#all };
    for (const { text, tokens, tier, rule } of linesOf(context, receipt)) {
      const used = { tokens, typed: typed.isNamedIn(text) ? tokens : 0, shown: shown.isNamedIn(text) ? tokens : 0 };
      if (this.#isShown) console.log(`${used.typed > 0 ? "+" : used.shown > 0 ? "~" : " "} ${tier}/${rule} ${text}`);
      for (const tally of [tallyOf(this.#byTier, tier), tallyOf(this.#byRule, `${tier}: ${rule}`)]) addTo(tally, used);
      addTo(this.#all, { ...used, tokens: 0 });
    }
    this.#all.tokens += tokenCount;
    if (tokenCount > 0) this.#shares.push((this.#all.typed - before.typed) / tokenCount);
  }

  /** Prints all of it and gives the share of what is told that is used. */
  print(): number {
    const percent = (part: number, whole: number): string =>
      whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)}%`;
    const row = ([name, { tokens, typed, shown }]: readonly [string, Tally]): Cell[] => [
      name,
      Math.round(tokens / this.points),
      percent(typed, tokens),
      percent(shown, tokens),
    ];
    const headers = ["", "tokens a point", "typed later", "typed or shown later"];
    printTable(headers, [...this.#byRule].toSorted((a, b) => b[1].tokens - a[1].tokens).map(row));
    console.log();
    const told = ["critical", "relevant", "background"].map((tier) => tallyOf(this.#byTier, tier));
    const sum = told.reduce((all, one) => ({
      tokens: all.tokens + one.tokens,
      typed: all.typed + one.typed,
      shown: all.shown + one.shown,
    }));
    printTable(headers, [
      ...[...this.#byTier].map(row),
      row(["told (without index)", sum]),
      row(["all, headings too", this.#all]),
    ]);
    console.log(`${this.points} points, ${this.#empty} without a word; budget ${this.budget}.`);
    return sum.tokens === 0 ? 0 : sum.typed / sum.tokens;
  }
}

function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  const tally = tallies.get(name) ?? { tokens: 0, typed: 0, shown: 0 };
  tallies.set(name, tally);
  return tally;
}

function addTo(tally: Tally, { tokens, typed, shown }: Tally): void {
  tally.tokens += tokens;
  tally.typed += typed;
  tally.shown += shown;
}

interface Line {
  readonly text: string;
  readonly tokens: number;
  readonly tier: Tier;
  readonly rule: string;
}

/** What stands on each line, with why; each word of the index counts as one. */
function linesOf(context: string, { items }: ContextReceipt): readonly Line[] {
  const told = context.match(/^- .*(?:\n {2}.*)*/gm) ?? [];
  const lines: Line[] = [];
  let at = 0;
  for (const [place, item] of items.entries()) {
    const { tier, rule, tokens, id } = item;
    if (tier === "index") {
      lines.push({ text: id.replace(/^topic:/, ""), tokens, tier, rule });
      continue;
    }
    // The second side of a contradiction stands on the line of the first.
    const isSecond = rule === "open-contradiction" && place % 2 === 1 && items[place - 1]?.rule === rule;
    lines.push({ text: told[isSecond ? at - 1 : at] ?? "", tokens, tier, rule });
    if (!isSecond) at += 1;
  }
  return lines;
}
