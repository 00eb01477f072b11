import process from "node:process";
import { ServerError, type ServerProblem } from "@throughline/server";
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
import { EXIT } from "./exit-codes.ts";
import { InputError } from "./input-error.ts";
import { InterruptedError } from "./interruption.ts";
import { printable } from "./printable.ts";
import { UsageError } from "./usage-error.ts";

interface Described {
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** Says on stderr what went wrong and what to do next, and gives back the exit code. */
export function reportError(error: unknown): number {
  // Commander has said it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.badInput;
  const input = error instanceof InputError ? error : undefined;
  const cause = input === undefined ? error : input.cause;
  const described = describe(cause, input?.advice);
  const file = input?.file ?? (isSystemError(cause) ? cause.path : undefined);
  const text = `throughline: ${file === undefined ? "" : `${file}: `}${described.lines.join("\n")}\n`;
  // It may repeat words of a file.
  process.stderr.write(printable(text));
  return described.exitCode;
}

function describe(error: unknown, advice: string | undefined): Described {
  if (error instanceof InterruptedError) return { lines: [error.message], exitCode: EXIT.interrupted };
  if (error instanceof UsageError) return { lines: [error.message, error.advice], exitCode: EXIT.badInput };
  if (ThroughlineError.isInstance(error)) {
    return { lines: [error.message, advice ?? adviceOf(error)], exitCode: exitCodeOf(error) };
  }
  if (isSystemError(error)) return SYSTEM_ERRORS[error.code] ?? { lines: [error.message], exitCode: EXIT.badInput };
  // Not the user's: whoever reads it needs to know where it happened.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { lines: [text], exitCode: EXIT.failed };
}

/** What to do next, where a command does it. */
function adviceOf(error: ThroughlineError): string {
  const isWithoutToken = error instanceof ServerError && error.problem === "not-loopback";
  return isWithoutToken ? `Make one: throughline token create --user NAME\nOr: ${error.hint}` : error.hint;
}

/** What a store would do at another time, in another version or with other permissions, it refuses to do now. */
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

/** So does a server. */
const NOT_SERVED: readonly ServerProblem[] = ["no-permission", "not-loopback", "port-taken"];

function exitCodeOf(error: ThroughlineError): number {
  if (error instanceof StoreError) return REFUSED.includes(error.problem) ? EXIT.refused : EXIT.failed;
  if (error instanceof ServerError) return NOT_SERVED.includes(error.problem) ? EXIT.refused : EXIT.failed;
  if (error instanceof EmbedderError || error instanceof TokenRanksError) return EXIT.failed;
  return error instanceof SessionBusyError || error instanceof UndoRefusedError ? EXIT.refused : EXIT.badInput;
}

interface SystemError extends Error {
  readonly code: string;
  readonly path?: string;
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "syscall" in error && "code" in error;
}

const SYSTEM_ERRORS: Readonly<Record<string, Described>> = {
  ENOENT: { lines: ["no such file"], exitCode: EXIT.badInput },
  EISDIR: { lines: ["it is a folder; give a file"], exitCode: EXIT.badInput },
  EACCES: { lines: ["no permission to read it"], exitCode: EXIT.refused },
  EPERM: { lines: ["no permission to read it"], exitCode: EXIT.refused },
};
