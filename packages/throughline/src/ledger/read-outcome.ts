import type { ToolResultPart } from "../message/part.ts";
import { isErrorOutput } from "../message/tool-output.ts";
import { errorLine } from "./error-line.ts";

/** How a call ended, as far as its result says so. */
export interface CallOutcome {
  readonly failed: boolean;
  /** It goes on in the background. */
  readonly running: boolean;
  /** It says that a file came into being. */
  readonly isNew: boolean;
  readonly exitCode?: number;
  /** What the result says about a failure; "" if it did not fail, or says nothing. */
  readonly says: string;
}

const EXIT =
  /(?:^|\n)[ \t]{0,8}(?:Exit code:?|Process exited with code|Exit Code:|exit status|<exit_code>|Command failed with exit code)\s*(-?\d{1,5})|"exit_?code":\s*(-?\d{1,5})/i;
const STILL_RUNS = /(?:^|\n)(Process running with session ID|Command running in background)/;
const FAILED_TEST =
  /(?:^|\n)[ \t]{0,8}(?:--- FAIL|FAIL\b|FAILED\b|✗|✖|error TS\d|error\[E\d|\d+ failed\b)|\b[1-9]\d* (?:failed|failing)\b/;
/** How the result of an edit begins that a client does not mark as failed. */
const FAILED_EDIT = /^\W{0,3}(?:error\b|[\w ]{0,40} failed\b[^\n]{0,40}:|\{"status":"error")/i;
const ENDS = 6_000;

/** What is known about a call: its text may say that it failed although neither exit code nor client does. */
interface CallKind {
  /** Whether it tests, checks or builds. */
  readonly tests?: boolean | undefined;
  /** Whether it changes files, other than by a shell command. */
  readonly edits?: boolean;
}

/** Reads a result. */
export function readOutcome(
  { output }: Pick<ToolResultPart, "output">,
  text: string,
  { tests = false, edits = false }: CallKind = {},
): CallOutcome {
  const ends = text.length > 2 * ENDS ? `${text.slice(0, ENDS)}\n${text.slice(-ENDS).replace(/^.*\n/, "")}` : text;
  const exit = EXIT.exec(ends);
  const code = exit === null ? undefined : Number(exit[1] ?? exit[2]);
  const saysSo = (tests && FAILED_TEST.test(ends)) || (edits && FAILED_EDIT.test(ends));
  const failed = isErrorOutput(output) || (code ?? 0) !== 0 || saysSo;
  return {
    failed,
    isNew: /^\W{0,3}(File created|Successfully created|Created|New file)/.test(text),
    running: STILL_RUNS.test(ends),
    ...(code === undefined ? {} : { exitCode: code }),
    says: failed ? errorLine(ends, tests) : "",
  };
}
