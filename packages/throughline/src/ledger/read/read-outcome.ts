import type { ToolResultPart } from "../../message/part.ts";
import { isErrorOutput } from "../../message/tool-output.ts";
import { errorLine } from "./error-line.ts";

/** Outcome of a call, as read from its result. */
export interface CallOutcome {
  readonly failed: boolean;
  /** True if it continues in the background. */
  readonly running: boolean;
  /** True if a file was created. */
  readonly isNew: boolean;
  readonly exitCode?: number;
  /** The most informative line about a failure; "" if there is none. */
  readonly says: string;
}

const EXIT =
  /(?:^|\n)[ \t]{0,8}(?:Exit code:?|Process exited with code|Exit Code:|exit status|<exit_code>|Command failed with exit code)\s*(-?\d{1,5})|"exit_?code":\s*(-?\d{1,5})/i;
const STILL_RUNS = /(?:^|\n)(Process running with session ID|Command running in background)/;
const FAILED_TEST =
  /(?:^|\n)[ \t]{0,8}(?:--- FAIL|FAIL\b|FAILED\b|✗|✖|error TS\d|error\[E\d|\d+ failed\b)|\b[1-9]\d* (?:failed|failing)\b/;
/** Beginning of the result of a failed edit that the client does not mark as failed. */
const FAILED_EDIT = /^\W{0,3}(?:error\b|[\w ]{0,40} failed\b[^\n]{0,40}:|\{"status":"error")/i;
const ENDS = 6_000;

/** Kind of a call. Of some calls the text can show a failure although neither exit code nor client does. */
interface CallKind {
  /** True if it tests, checks or builds. */
  readonly tests?: boolean | undefined;
  /** True if it changes files, other than by a shell command. */
  readonly edits?: boolean;
}

/** Reads the outcome of a call from its result. */
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
