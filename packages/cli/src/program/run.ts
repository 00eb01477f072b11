import type { Command } from "commander";
import { QUICK_COMMANDS } from "../quick-commands.ts";
import { type AddCommand, baseProgram } from "./base-program.ts";
import { dataArguments, runProgram } from "./run-program.ts";

/** Commands that are loaded without the others. */
const ALONE: Readonly<Record<string, () => Promise<AddCommand>>> = {
  ...QUICK_COMMANDS,
  import: async () => (await import("../import/import-command.ts")).addImportCommand,
  mcp: async () => (await import("../commands/mcp-command.ts")).addMcpCommand,
};

/**
 * Runs the command line in this process. It prints to stdout and stderr, and reports errors there instead of throwing.
 *
 * @param args Arguments after the program's name.
 * @returns The exit code: 0 done, 1 failed, 2 bad usage or input, 3 refused.
 *
 * @example
 * process.exitCode = await main(["recall", "When do we deploy?", "--json"]);
 */
export function main(args: readonly string[]): Promise<number> {
  return runProgram(args, () => loadProgram(args));
}

/** The program with the command that the arguments name, or else with all. */
async function loadProgram(args: readonly string[]): Promise<Command> {
  const name = args[dataArguments(args)] ?? "";
  const load = Object.hasOwn(ALONE, name) ? ALONE[name] : undefined;
  if (load !== undefined) return baseProgram(await load());
  const { createProgram } = await import("./create-program.ts");
  return createProgram();
}
