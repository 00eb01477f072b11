import { readdir } from "node:fs/promises";
import process from "node:process";

// A benchmark is a folder with a `bench.ts` that exports `run(args)`.
const [name, ...args] = process.argv.slice(2);
const here = import.meta.dirname;
const folders = await readdir(here, { withFileTypes: true });
const names = folders
  .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
  .map((entry) => entry.name);

if (name === undefined || !names.includes(name)) {
  process.stderr.write(`Usage: npm run bench -- <${names.join("|")}> [options]\n`);
  process.exitCode = 2;
} else {
  const bench: { run(args: readonly string[]): Promise<number> } = await import(`./${name}/bench.ts`);
  process.exitCode = await bench.run(args);
}
