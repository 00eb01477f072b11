import { execFileSync } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { wordEmbedder } from "throughline";
import { printTable } from "../print-table.ts";
import { CASE_NAMES, type CaseName, makeCase } from "../tokens/cases.ts";

/** Text lengths in characters. Of the last one, only the beginning is embedded. */
const LENGTHS = [20, 200, 2_000, 10_000, 100_000];
/** Total characters per length. */
const TOGETHER = 1_000_000;
const RUNS = 3;
const LOADS = 5;

/** Measures the speed of the bundled embedder by text length and content, and its load time. */
export async function run(): Promise<number> {
  const loads = Array.from({ length: LOADS }, measureLoad).sort((a, b) => a.milliseconds - b.milliseconds);
  const { milliseconds = 0, bytes = 0 } = loads[Math.floor(LOADS / 2)] ?? {};
  console.log(
    `The first text in a fresh process: ${milliseconds.toFixed(0)} ms, median of ${LOADS}, reading included;`,
  );
  console.log(`${(bytes / 1e6).toFixed(1)} MB more memory after it.\n`);
  console.log(`Texts per second, by characters of a text, best of ${RUNS} runs:\n`);
  const speeds: number[][] = [];
  for (const name of CASE_NAMES) speeds.push(await measureCase(name));
  printTable(
    ["", ...LENGTHS.map((length) => length.toLocaleString("en-US"))],
    CASE_NAMES.map((name, row) => [name, ...(speeds[row] ?? []).map(Math.round)]),
  );
  console.log("\nTime of a text as a multiple of that of the shortest; its length is this multiple:\n");
  const shortest = LENGTHS[0] ?? 1;
  printTable(
    ["", ...LENGTHS.map((length) => `${(length / shortest).toLocaleString("en-US")}×`)],
    CASE_NAMES.map((name, row) => {
      const [first = 0, ...others] = speeds[row] ?? [];
      return [name, ...[first, ...others].map((speed) => `${(first / speed).toFixed(1)}×`)];
    }),
  );
  return 0;
}

interface Load {
  readonly milliseconds: number;
  readonly bytes: number;
}

function measureLoad(): Load {
  const worker = path.join(import.meta.dirname, "worker.ts");
  return JSON.parse(execFileSync(process.execPath, ["--expose-gc", worker], { encoding: "utf8" }));
}

async function measureCase(name: CaseName): Promise<number[]> {
  const whole = makeCase(name);
  const speeds: number[] = [];
  for (const length of LENGTHS) {
    const count = Math.floor(TOGETHER / length);
    const texts = Array.from({ length: count }, (_, at) => whole.slice(at * length, (at + 1) * length));
    const times: number[] = [];
    for (let runs = 0; runs < RUNS; runs += 1) {
      // A new embedder each time, so that its word cache does not help.
      const embedder = wordEmbedder();
      await embedder.embed(["warm"]);
      const start = performance.now();
      await embedder.embed(texts);
      times.push(performance.now() - start);
    }
    speeds.push((count / Math.min(...times)) * 1_000);
  }
  return speeds;
}
