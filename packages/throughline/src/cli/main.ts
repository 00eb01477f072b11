import process from "node:process";
import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { ThroughlineError } from "../errors/throughline-error.ts";
import { EXIT } from "./exit-codes.ts";
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
  return program;
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.badInput;
  if (ThroughlineError.isInstance(error)) {
    process.stderr.write(`throughline: ${error.message}\n${error.hint}\n`);
    return EXIT.badInput;
  }
  if (isSystemError(error)) {
    process.stderr.write(`throughline: ${describeSystemError(error)}\n`);
    return EXIT.badInput;
  }
  process.stderr.write(`throughline: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return EXIT.failed;
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

function describeSystemError({ code, path, message }: SystemError): string {
  const words = SYSTEM_ERRORS[code];
  return words === undefined ? message : `${path ?? "the file"}: ${words}`;
}
