import process from "node:process";
import type { Command } from "commander";
import { type AddCommand, baseProgram } from "./base-program.ts";
import { EXIT } from "./exit-codes.ts";
import { endAtInterrupt } from "./interruption.ts";
import { reportError } from "./report-error.ts";
import { dataArguments, withDefaultCommand } from "./serve/default-command.ts";

/** Commands that agents and scripts start again and again: each is loaded without the others. */
const OFTEN: Readonly<Record<string, () => Promise<AddCommand>>> = {
  hook: async () => (await import("./hook/hook-command.ts")).addHookCommand,
  recall: async () => (await import("./recall/recall-command.ts")).addRecallCommand,
  remember: async () => (await import("./remember/remember-command.ts")).addRememberCommand,
  context: async () => (await import("./context/context-command.ts")).addContextCommand,
  memories: async () => (await import("./memories/memories-command.ts")).addMemoriesCommand,
  import: async () => (await import("./import/import-command.ts")).addImportCommand,
  mcp: async () => (await import("./mcp/mcp-command.ts")).addMcpCommand,
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
export async function main(args: readonly string[]): Promise<number> {
  endQuietlyWithTheReader();
  endAtInterrupt();
  try {
    const program = await loadProgram(args);
    await program.parseAsync(withDefaultCommand(program, args), { from: "user" });
    // Set by a command that finished and found a problem.
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    const code = reportError(error);
    // A pending read may never end by itself.
    if (code === EXIT.interrupted) process.exit(code);
    return code;
  }
}

/** `throughline … | head` closes the pipe before everything is written; that is not an error. */
function endQuietlyWithTheReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(EXIT.done);
  });
}

/** The program with the command that the arguments name, or else with all. */
async function loadProgram(args: readonly string[]): Promise<Command> {
  const name = args[dataArguments(args)] ?? "";
  const load = Object.hasOwn(OFTEN, name) ? OFTEN[name] : undefined;
  if (load !== undefined) return baseProgram(await load());
  const { createProgram } = await import("./create-program.ts");
  return createProgram();
}
