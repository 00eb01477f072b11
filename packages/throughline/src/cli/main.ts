import process from "node:process";
import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { ThroughlineError } from "../errors/throughline-error.ts";
import { addCompactCommand } from "./compact/compact-command.ts";
import { EXIT } from "./exit-codes.ts";
import { InputError } from "./input-error.ts";
import { addInspectCommand } from "./inspect/inspect-command.ts";

/** Runs the command line and gives back its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  endQuietlyWithTheReader();
  try {
    const program = createProgram();
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: "user" });
    return EXIT.done;
  } catch (error) {
    return report(error);
  }
}

/** `throughline … | head` closes the pipe before everything is written; that is no error. */
function endQuietlyWithTheReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(EXIT.done);
  });
}

function createProgram(): Command {
  const program = new Command("throughline")
    .description("Keeps long AI conversations on track: see what a session holds and what its compactions lost.")
    .version(packageJson.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .showSuggestionAfterError()
    .showHelpAfterError("See `throughline --help`.")
    .exitOverride()
    .addHelpText("after", "\nExample:\n  throughline inspect ~/.claude/projects/my-project/session.jsonl");
  program.commandsGroup("Look at sessions:");
  addInspectCommand(program);
  addCompactCommand(program);
  return program;
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.badInput;
  const input = error instanceof InputError ? error : undefined;
  const cause = input === undefined ? error : input.cause;
  const lines = describe(cause, input?.advice);
  const file = input?.file ?? (isSystemError(cause) ? cause.path : undefined);
  if (lines === undefined) {
    process.stderr.write(`throughline: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`);
    return EXIT.failed;
  }
  process.stderr.write(`throughline: ${file === undefined ? "" : `${file}: `}${lines.join("\n")}\n`);
  return EXIT.badInput;
}

/** The problem and what to do next; `undefined` for an error that is not the user's. */
function describe(error: unknown, advice: string | undefined): string[] | undefined {
  if (ThroughlineError.isInstance(error)) return [error.message, advice ?? error.hint];
  return isSystemError(error) ? [SYSTEM_ERRORS[error.code] ?? error.message] : undefined;
}

interface SystemError extends Error {
  readonly code: string;
  readonly path?: string;
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error && "code" in error;
}

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EACCES: "no permission to read it",
  EISDIR: "it is a folder; give a file",
};
