import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { printTable } from "../print-table.ts";
import { readTarget } from "../target.ts";

const USAGE = `Usage: npm run bench -- targets [--data FOLDER] [--only NAME,…] [--large] [--seconds 600]
--large adds benchmarks of many minutes; --seconds is the time of the steady load.
`;

/** Benchmarks that print targets, with their arguments. `data`: only with `--data`; `large`: only with `--large`. */
const BENCHES: readonly { readonly args: readonly string[]; readonly needs?: "data" | "large" }[] = [
  { args: ["memory", "search"] },
  { args: ["memory", "search", "--sizes", "1000000", "--stores", ""], needs: "large" },
  { args: ["memory", "locomo"], needs: "data" },
  { args: ["server", "turns"] },
  { args: ["server", "steady"], needs: "large" },
  { args: ["versions"], needs: "large" },
  { args: ["scale"], needs: "large" },
  { args: ["prepare", "receipts"], needs: "data" },
  { args: ["start-up"] },
  { args: ["import"], needs: "data" },
];

/** Runs the benchmarks one after the other, and prints the targets of all of them in one table. */
export async function run(args: readonly string[]): Promise<number> {
  const options = {
    data: { type: "string" },
    only: { type: "string" },
    large: { type: "boolean" },
    seconds: { type: "string" },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (positionals.length > 0) {
    process.stderr.write(USAGE);
    return 2;
  }
  const { data, large = false, seconds } = values;
  const only = values.only?.split(",");
  const rows: string[][] = [];
  for (const bench of BENCHES) {
    const name = bench.args.join(" ");
    if (only !== undefined && !only.some((one) => name.startsWith(one))) continue;
    if ((bench.needs === "data" && data === undefined) || (bench.needs === "large" && !large)) {
      rows.push([name, "", "", `not run: add --${bench.needs}`]);
      continue;
    }
    process.stderr.write(`${name} …\n`);
    const takesData = data !== undefined && (bench.needs === "data" || name === "memory search");
    const takesSeconds = seconds !== undefined && name === "server steady";
    const more = [...(takesData ? ["--data", data] : []), ...(takesSeconds ? ["--seconds", seconds] : [])];
    rows.push(...(await runBench([...bench.args, ...more])));
  }
  printTable(["target", "measured", "limit", ""], rows);
  return rows.length > 0 && rows.every((row) => row[3] === "met") ? 0 : 1;
}

async function runBench(args: readonly string[]): Promise<readonly string[][]> {
  const script = path.join(import.meta.dirname, "..", "run.ts");
  const child = spawn(process.execPath, [...process.execArgv, script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await once(child, "close");
  const rows = output.split("\n").flatMap((line) => {
    const target = readTarget(line);
    return target === undefined ? [] : [[target.name, target.measured, target.limit, target.holds ? "met" : "FAILS"]];
  });
  return rows.length > 0 ? rows : [[args.join(" "), "", "", "printed no target"]];
}
