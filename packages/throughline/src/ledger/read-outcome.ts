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

/** What a command says that the user did not allow: no error, but good to know. */
export const REFUSED = "the user refused it";

const EXIT =
  /(?:^|\n)[ \t]{0,8}(?:Exit code:?|Process exited with code|Exit Code:|exit status|<exit_code>|Command failed with exit code)\s*(-?\d{1,5})|"exit_?code":\s*(-?\d{1,5})/i;
const STILL_RUNS = /(?:^|\n)(Process running with session ID|Command running in background)/;
const FAILED_TEST =
  /(?:^|\n)[ \t]{0,8}(?:--- FAIL|FAIL\b|FAILED\b|✗|✖|error TS\d|error\[E\d|\d+ failed\b)|\b[1-9]\d* (?:failed|failing)\b/;
const REJECTED = /^(The user doesn't want|User rejected|\[Request interrupted)/;
const ENDS = 6_000;

/** Reads a result. `tests`: its text may say that it failed although its exit code does not. */
export function readOutcome({ output }: Pick<ToolResultPart, "output">, text: string, tests = false): CallOutcome {
  const ends = text.length > 2 * ENDS ? `${text.slice(0, ENDS)}\n${text.slice(-ENDS).replace(/^.*\n/, "")}` : text;
  const exit = EXIT.exec(ends);
  const code = exit === null ? undefined : Number(exit[1] ?? exit[2]);
  const rejected = output.type === "execution-denied" || REJECTED.test(text);
  const failed = isErrorOutput(output) || (code ?? 0) !== 0 || (tests && FAILED_TEST.test(ends));
  return {
    failed,
    isNew: /^\W{0,3}(File created|Successfully created|Created|New file)/.test(text),
    running: STILL_RUNS.test(ends),
    ...(code === undefined ? {} : { exitCode: code }),
    says: failed ? (rejected ? REFUSED : errorLine(ends, tests)) : "",
  };
}
