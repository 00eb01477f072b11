import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { printTable } from "../print-table.ts";
import { processTime } from "../start-up/process-time.ts";
import { atMost, printTargets } from "../target.ts";

const USAGE = "Usage: npm run bench -- import --data FOLDER [--sessions 40] [--runs 3]\n";
const BIN = path.join(import.meta.dirname, "..", "..", "packages", "cli", "dist", "bin.js");
const PARSE = path.join(import.meta.dirname, "worker.ts");
/** Maximum CPU time of an import against parsing the files and counting their tokens. */
const MAX_RATIO = 3;

/** Measures the import of transcripts with what they teach, against parsing them and counting their tokens. */
export async function run(args: readonly string[]): Promise<number> {
  const text = { type: "string" } as const;
  const options = { data: text, sessions: { ...text, default: "40" }, runs: { ...text, default: "3" } };
  const { values } = parseArgs({ args: [...args], options });
  const [count, runs] = [Number(values.sessions), Number(values.runs)];
  if (values.data === undefined || !(count > 0) || !(runs > 0)) {
    process.stderr.write(`${USAGE}FOLDER contains claude-code/sessions.\n`);
    return 2;
  }
  const folder = path.join(values.data, "claude-code", "sessions");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  const files = names.slice(0, count).map((name) => path.join(folder, name));
  let [parsed, imported] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < runs; round += 1) {
    parsed = Math.min(parsed, processTime([...process.execArgv, PARSE, ...files], { cwd: folder, input: "" }));
    imported = Math.min(imported, await importTime(files));
  }
  printTable(
    [`${files.length} sessions`, "CPU ms"],
    [
      ["parse and count", Math.round(parsed)],
      ["import --remember", Math.round(imported)],
    ],
  );
  const name = `import of ${files.length} sessions with --remember against parsing and counting`;
  return printTargets([atMost(name, imported / parsed, MAX_RATIO)]) ? 0 : 1;
}

async function importTime(files: readonly string[]): Promise<number> {
  const data = await mkdtemp(path.join(tmpdir(), "throughline-bench-"));
  try {
    return processTime([BIN, "import", ...files, "--remember", "--data", data], { cwd: data, input: "" });
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}
