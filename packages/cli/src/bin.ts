#!/usr/bin/env node
import packageJson from "../package.json" with { type: "json" };
import { loadQuickCommands, QUICK_COMMAND_NAMES } from "./program/load-quick-commands.ts";

// Scripts and agents start this program often. It imports no module of Node, because an import evaluates all exports.

// Checked before anything else is loaded: older versions of Node fail on an import with an error that does not name the
// cause.
const REQUIRED = { major: 22, minor: 13 };
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const given = process.argv.slice(2);
// `throughline help recall`, as in other programs.
const args = given[0] === "help" ? [...given.slice(1), "--help"] : given;
const [command = ""] = args;

if (major < REQUIRED.major || (major === REQUIRED.major && minor < REQUIRED.minor)) {
  const required = `${REQUIRED.major}.${REQUIRED.minor}`;
  process.stderr.write(`throughline requires Node ${required} or later; this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else if (args.length === 1 && ["--version", "-V", "-v"].includes(command)) {
  write(`${packageJson.version}\n`);
} else {
  const name = QUICK_COMMAND_NAMES.find((one) => one === command);
  const help = args.length === 1 && (command === "--help" || command === "-h") ? builtFile("help.txt") : undefined;
  const quick = name && builtFile("quick-commands.cjs");
  if (help !== undefined) {
    write(process.getBuiltinModule("node:fs").readFileSync(help, "utf8"));
  } else if (name !== undefined && quick !== undefined) {
    // The events of a hook have little in common.
    const { main, storeCode } = loadQuickCommands(
      quick,
      name === "hook" ? `hook-${args[1]?.replaceAll(/\W/g, "")}` : name,
    );
    process.exitCode = await main([name, ...args.slice(1)]);
    storeCode();
  } else {
    // Node keeps the compiled code in the folder for temporary files: the next start takes two thirds of the time.
    process.getBuiltinModule("node:module").enableCompileCache();
    const { main } = await import("./program/run.ts");
    process.exitCode = await main(args);
  }
}

/** The path of a file of the build; `undefined` if this is the source. */
function builtFile(name: string): string | undefined {
  const { dirname } = import.meta;
  const file = process.getBuiltinModule("node:path").join(dirname, name);
  return process.getBuiltinModule("node:fs").existsSync(file) ? file : undefined;
}

/** Writes a short text without the streams of Node, which take a millisecond to load. */
function write(text: string): void {
  try {
    process.getBuiltinModule("node:fs").writeSync(1, text);
  } catch {
    process.stdout.write(text);
  }
}
