import process from "node:process";
import type { Command } from "commander";
import { EXIT } from "./exit-codes.ts";
import { endAtInterrupt } from "../terminal/interruption.ts";
import { withDefaultCommand } from "./default-command.ts";
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
