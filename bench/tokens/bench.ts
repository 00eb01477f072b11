import path from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { type Cell, printTable } from "../print-table.ts";
import { CASE_NAMES, type CaseName, makeCase } from "./cases.ts";
import { COUNTER_NAMES, type CounterName } from "./counters.ts";

/** One thread per run: a session counts each text once, so a counter's cache must not help. */
const RUNS = 3;
const WARM_UP = 100_000;

type Outcome = { readonly tokens: number; readonly milliseconds: number } | { readonly failure: string };

/** Measures the speed of token counting against other npm tokenizers, and whether the counts agree. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { seconds: { type: "string", default: "30" } } });
  const limit = Number(values.seconds) * 1_000;
  const outcomes = new Map<string, Outcome>();
  const sizes = new Map<CaseName, number>();
  const warmUp = makeCase("code").slice(0, WARM_UP);
  for (const name of CASE_NAMES) {
    const text = makeCase(name);
    sizes.set(name, new TextEncoder().encode(text).length);
    for (const counter of COUNTER_NAMES) {
      outcomes.set(`${counter} ${name}`, await measureBest({ counter, warmUp, text }, limit));
    }
  }
  const outcome = (counter: CounterName, name: CaseName) =>
    outcomes.get(`${counter} ${name}`) ?? { failure: "not run" };

  console.log(
    `o200k, a million characters a case, best of three fresh threads, at most ${values.seconds} s a case. MB/s of UTF-8:\n`,
  );
  printTable(
    ["", ...CASE_NAMES],
    COUNTER_NAMES.map((counter) => [
      counter,
      ...CASE_NAMES.map((name) => speed(outcome(counter, name), sizes.get(name) ?? 0)),
    ]),
  );
  console.log("\nTime as a multiple of prose, same counter:\n");
  printTable(
    ["", ...CASE_NAMES],
    COUNTER_NAMES.map((counter) => [
      counter,
      ...CASE_NAMES.map((name) => multiple(outcome(counter, name), outcome(counter, "prose"))),
    ]),
  );
  console.log("\nTokens:\n");
  printTable(
    ["", ...CASE_NAMES],
    COUNTER_NAMES.map((counter) => [counter, ...CASE_NAMES.map((name) => tokensOf(outcome(counter, name)))]),
  );
  return judge(outcome);
}

interface Task {
  readonly counter: CounterName;
  readonly warmUp: string;
  readonly text: string;
}

async function measureBest(task: Task, limit: number): Promise<Outcome> {
  let best = await measure(task, limit);
  for (let i = 1; i < RUNS && !("failure" in best); i += 1) {
    const next = await measure(task, limit);
    if (!("failure" in next) && next.milliseconds < best.milliseconds) best = next;
  }
  return best;
}

/** In a thread that can be terminated, because some counters hang on the bad cases. */
async function measure(task: Task, limit: number): Promise<Outcome> {
  const worker = new Worker(path.join(import.meta.dirname, "worker.ts"), { workerData: task });
  return new Promise<Outcome>((resolve) => {
    let timer = setTimeout(() => resolve({ failure: "does not load" }), limit);
    worker.on("message", (message: { ready: true } | { tokens: number; milliseconds: number }) => {
      clearTimeout(timer);
      if ("ready" in message) timer = setTimeout(() => resolve({ failure: `> ${limit / 1_000} s` }), limit);
      else resolve(message);
    });
    worker.on("error", (error) => resolve({ failure: `fails: ${error.message}`.slice(0, 24) }));
  }).finally(() => worker.terminate());
}

function speed(outcome: Outcome, bytes: number): Cell {
  return "failure" in outcome ? outcome.failure : (bytes / 1e6 / (outcome.milliseconds / 1_000)).toFixed(1);
}

function multiple(outcome: Outcome, prose: Outcome): Cell {
  if ("failure" in outcome) return outcome.failure;
  return "failure" in prose ? "–" : `${(outcome.milliseconds / prose.milliseconds).toFixed(2)}×`;
}

function tokensOf(outcome: Outcome): Cell {
  return "failure" in outcome ? outcome.failure : outcome.tokens;
}

/** Wrong counts fail, slow times only warn, because the machine may be busy. */
function judge(outcome: (counter: CounterName, name: CaseName) => Outcome): number {
  const prose = outcome("throughline", "prose");
  for (const name of ["base64", "one letter"] as const) {
    const bad = outcome("throughline", name);
    if ("failure" in bad || "failure" in prose || bad.milliseconds > 2 * prose.milliseconds) {
      console.log(`\nOver the target of twice the time of prose: ${name}.`);
    }
  }
  const wrong = CASE_NAMES.filter((name) => {
    const [ours, truth] = [outcome("throughline", name), outcome("tiktoken", name)];
    return "failure" in ours || (!("failure" in truth) && truth.tokens !== ours.tokens);
  });
  console.log(
    wrong.length === 0
      ? "\nEvery count equals that of tiktoken, if it has one."
      : `\nCounts differ: ${wrong.join(", ")}.`,
  );
  return wrong.length === 0 ? 0 : 1;
}
