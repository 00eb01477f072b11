import process from "node:process";
import type { ServerError, ServerProblem } from "@throughline/server";
import { CommanderError } from "commander";
import {
  EmbedderError,
  SessionBusyError,
  StoreError,
  type StoreProblem,
  ThroughlineError,
  TokenRanksError,
  UndoRefusedError,
} from "throughline";
import { InterruptedError } from "../terminal/interruption.ts";
import { printable } from "../terminal/print-values.ts";
import { EXIT, InputError, UsageError } from "../usage-error.ts";

interface Described {
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** Prints an error and its advice to stderr, and returns the exit code. */
export function reportError(error: unknown): number {
  // Commander has already printed it.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.badInput;
  const input = error instanceof InputError ? error : undefined;
  const cause = input === undefined ? error : input.cause;
  const described = describe(cause, input?.advice);
  const file = input?.file ?? (isSystemError(cause) ? cause.path : undefined);
  const text = `throughline: ${file === undefined ? "" : `${file}: `}${described.lines.join("\n")}\n`;
  // The message may quote a file.
  process.stderr.write(printable(text));
  return described.exitCode;
}

const SYSTEM_ERRORS: Readonly<Record<string, Described>> = {
  ENOENT: { lines: ["the file does not exist.", "Check the path."], exitCode: EXIT.badInput },
  EISDIR: { lines: ["the path is a folder.", "Give a file."], exitCode: EXIT.badInput },
  EACCES: {
    lines: ["permission denied.", "Check the permissions of the file and its folder."],
    exitCode: EXIT.refused,
  },
  EPERM: { lines: ["permission denied.", "Check the permissions of the file and its folder."], exitCode: EXIT.refused },
};

function describe(error: unknown, advice: string | undefined): Described {
  if (error instanceof InterruptedError) return { lines: [error.message], exitCode: EXIT.interrupted };
  if (error instanceof UsageError) return { lines: [error.message, error.advice], exitCode: EXIT.badInput };
  if (ThroughlineError.isInstance(error)) {
    return { lines: [error.summary, advice ?? adviceOf(error)], exitCode: exitCodeOf(error) };
  }
  if (isSystemError(error)) return SYSTEM_ERRORS[error.code] ?? { lines: [error.message], exitCode: EXIT.badInput };
  // A bug: print the stack.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { lines: [text], exitCode: EXIT.failed };
}

/** The advice, with a command if there is one. */
function adviceOf(error: ThroughlineError): string {
  const isWithoutToken = isServerError(error) && error.problem === "not-loopback";
  return isWithoutToken ? `Create a token: throughline token create --user NAME\nOr: ${error.hint}` : error.hint;
}

/** Store problems that depend on time, version or permissions: exit code 3. */
const REFUSED: readonly StoreProblem[] = [
  ...([
    "busy",
    "corrupt",
    "encrypted",
    "newer-version",
    "not-encrypted",
    "not-ours",
    "read-only",
    "wrong-key",
  ] as const),
];

/** Server problems with exit code 3. */
const NOT_SERVED: readonly ServerProblem[] = ["no-permission", "not-loopback", "port-taken"];

function exitCodeOf(error: ThroughlineError): number {
  if (error instanceof StoreError) return REFUSED.includes(error.problem) ? EXIT.refused : EXIT.failed;
  if (isServerError(error)) return NOT_SERVED.includes(error.problem) ? EXIT.refused : EXIT.failed;
  if (error instanceof EmbedderError || error instanceof TokenRanksError) return EXIT.failed;
  return error instanceof SessionBusyError || error instanceof UndoRefusedError ? EXIT.refused : EXIT.badInput;
}

/** By its code: commands that need no server do not load it. */
function isServerError(error: ThroughlineError): error is ServerError {
  return error.code === "server";
}

interface SystemError extends Error {
  readonly code: string;
  readonly path?: string;
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error && "code" in error;
}
