import process from "node:process";
import type { Command } from "commander";
import { endAtInterrupt } from "../terminal/interruption.ts";
import { EXIT } from "../usage-error.ts";
import { reportError } from "./report-error.ts";

/** Parses the arguments with the loaded program and runs its command. Reports errors instead of throwing. */
export async function runProgram(args: readonly string[], load: () => Promise<Command>): Promise<number> {
  endQuietlyWithTheReader();
  endAtInterrupt();
  try {
    const program = await load();
    await program.parseAsync(withDefaultCommand(program, args), { from: "user" });
    // Set by a command that finished and found a problem.
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    const code = reportError(error);
    // A pending read may never end.
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

/**
 * Inserts the default command: `throughline`, `throughline --port 5000`. Not commander's own default, which would pass
 * a misspelled command to `serve` as an argument.
 */
function withDefaultCommand(program: Command, args: readonly string[]): readonly string[] {
  const own = dataArguments(args);
  const next = args[own];
  const isServe = next === undefined || (next.startsWith("-") && !isKnown(program, next));
  return isServe ? [...args.slice(0, own), "serve", ...args.slice(own)] : args;
}

/** Number of leading arguments that set the data folder. */
export function dataArguments(args: readonly string[]): number {
  if (args[0]?.startsWith("--data=")) return 1;
  return args[0] === "--data" && args.length > 1 ? 2 : 0;
}

function isKnown(program: Command, flag: string): boolean {
  return ["-h", "--help", ...program.options.flatMap(({ short, long }) => [short, long])].includes(flag);
}
