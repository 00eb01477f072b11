#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";
import nodeModule from "node:module";
import process from "node:process";
import packageJson from "../package.json" with { type: "json" };

// Checked before anything else is loaded: older versions of Node fail on an import with an error that does not name the cause.
const REQUIRED = { major: 22, minor: 13 };
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const args = process.argv.slice(2);
/** Written by the build. */
const HELP = new URL("./help.txt", import.meta.url);
const OFTEN = new URL("./often.cjs", import.meta.url);
/** The commands in that file; see `often.ts`. */
const OFTEN_NAMES = ["hook", "recall", "remember", "context", "memories"];

if (major < REQUIRED.major || (major === REQUIRED.major && minor < REQUIRED.minor)) {
  const required = `${REQUIRED.major}.${REQUIRED.minor}`;
  process.stderr.write(`throughline requires Node ${required} or later; this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  // Scripts ask for it often: answered without loading the commands.
  process.stdout.write(`${packageJson.version}\n`);
} else if (args.length === 1 && (args[0] === "--help" || args[0] === "-h") && existsSync(HELP)) {
  process.stdout.write(readFileSync(HELP));
} else {
  // Node keeps the compiled code in the folder for temporary files: the next start takes two thirds of the time.
  nodeModule.enableCompileCache();
  const isOften = OFTEN_NAMES.includes(args[0] ?? "") && existsSync(OFTEN);
  const { main }: typeof import("./run.ts") = isOften
    ? nodeModule.createRequire(OFTEN)("./often.cjs")
    : await import("./run.ts");
  process.exitCode = await main(args);
}
