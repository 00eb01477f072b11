import process from "node:process";
import { parseArgs } from "node:util";
import { type BenchThroughline, openThroughline } from "../compaction/bench-throughline.ts";
import { printTable } from "../print-table.ts";
import { makeSession } from "./make-session.ts";
import { measureLangChain } from "./measure-langchain.ts";
import { measureThroughline } from "./measure-throughline.ts";
import type { Measurement } from "./prepare-times.ts";
import { runReceipts } from "./receipts.ts";

const SIZES = [10_000, 100_000, 1_000_000];
/** Counting again at every step is quadratic in the session: a million tokens would take many minutes. */
const MAX_PLAIN_TOKENS = 100_000;
/** Maximum growth of the next turn for a session a hundred times as long, with tolerance for noise. */
const MAX_GROWTH = 2;

/** Measures the cost of preparing a turn by session length, on generated sessions. */
export async function run(args: readonly string[]): Promise<number> {
  if (args[0] === "receipts") return runReceipts(args.slice(1));
  const { values } = parseArgs({ args: [...args], options: { budget: { type: "string", default: "8000" } } });
  const budget = Number(values.budget);
  if (!(budget > 0)) {
    process.stderr.write("Usage: npm run bench -- prepare [receipts --data FOLDER] [--budget TOKENS]\n");
    return 2;
  }
  const throughline = await openThroughline();
  if (throughline === undefined) process.stderr.write("This build has no sessions yet: baselines alone.\n");
  // One unmeasured run, so that the first size does not pay for compilation.
  await measureAll(throughline, 10_000, budget);
  const measured: Measurement[] = [];
  for (const size of SIZES) measured.push(...(await measureAll(throughline, size, budget)));
  await throughline?.close();
  printMeasurements(measured, budget);
  return throughline !== undefined && checkGrowth(measured) ? 0 : 1;
}

async function measureAll(
  throughline: BenchThroughline | undefined,
  size: number,
  budget: number,
): Promise<Measurement[]> {
  const messages = makeSession(size);
  const ours = throughline && (await measureThroughline(throughline, makeSession(size), size, budget));
  const remembered = await measureLangChain(messages, size, budget, "remembered");
  const plain = size <= MAX_PLAIN_TOKENS ? [await measureLangChain(messages, size, budget, "plain")] : [];
  return [...(ours === undefined ? [] : [ours]), remembered, ...plain];
}

function printMeasurements(measured: readonly Measurement[], budget: number): void {
  console.log(`Into a window of ${budget.toLocaleString("en-US")} tokens; growth against a session of 10,000 tokens.`);
  const sorted = measured.toSorted((a, b) => a.method.localeCompare(b.method) || a.tokens - b.tokens);
  const ratio = (now: number, then: number | undefined) => (then ? `×${(now / then).toFixed(1)}` : "");
  printTable(
    ["method", "session", "window", "append ms", "first ms", "growth", "next ms", "growth", "memory MB"],
    sorted.map((entry) => {
      const smallest = sorted.find(({ method }) => method === entry.method);
      return [
        entry.method,
        entry.tokens,
        entry.windowTokens,
        entry.load.toFixed(1),
        entry.first.toFixed(1),
        ratio(entry.first, smallest?.first),
        entry.next.toFixed(2),
        ratio(entry.next, smallest?.next),
        (entry.memory / 1e6).toFixed(1),
      ];
    }),
  );
}

function checkGrowth(measured: readonly Measurement[]): boolean {
  const ours = measured.filter(({ method }) => method === "throughline");
  const [small, large] = [ours[0], ours.at(-1)];
  if (small === undefined || large === undefined) return false;
  const growth = large.next / small.next;
  const holds = growth <= MAX_GROWTH;
  console.log(
    `\n${holds ? "met" : "FAILS"}  the next turn does not depend on the session's length: ×${growth.toFixed(2)}`,
  );
  return holds;
}
