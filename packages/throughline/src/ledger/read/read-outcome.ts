import { cutMiddle, oneLine } from "../../internal/text.ts";
import type { ToolResultPart } from "../../message/part.ts";
import { isErrorOutput } from "../../message/tool-output.ts";
import { LIMITS } from "../ledger.ts";

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

/** Words that indicate a failure. */
const TELLING =
  /error|fail|panic|exception|fatal|not found|cannot|can't|could not|unable|denied|not allowed|refus|reject|undefined|expected|unknown|invalid|missing|conflict|timed out|no such/i;
/** Words that indicate a failed check. */
const WRONG = /\b(?:want|wanted|got|should|must)\b/i;
/** `TypeError: …`, `error: …`, `jq: error (at :3): …`, `error TS2322: …`. */
const NAMED =
  /\b[A-Z]\w{0,60}(?:Error|Exception)\b(?::|$)|(?:^|[\s\]!])(?:error|panic|fatal|exception)(?:\[\w{1,20}\]| TS\d{1,6}| \([^)]{1,40}\))?: ?\S/i;
/** `src/a.ts:3:5: …`, `src/a.ts(3,5): …`, also after the name of a task. */
const LOCATED =
  /^\s*(?:\[[^\]]{1,40}\]\s+|\S{1,60} \w{1,20}: )?[\w@./\\~-]{1,300}\.\w{1,8}(?::\d+(?::\d+)?|\(\d+,\d+\)):?\s+\S/;
const WENT_WELL = /\b(?:success|succeeded|successful(?:ly)?|pass(?:ed|es)?|ok)\b/i;
/** The name of a check that failed. */
const FAILED_CHECK = /^\s*(?:--- FAIL: |[✗✖×●] |\(fail\) |not ok \d|FAILED +\S+::|FAIL +\S+ > )\s*\S/;

/** Lines about the call, of passed checks, of echoed commands, of help, of source code and of data. */
const NOISE: readonly RegExp[] = [
  /^\s*(?:exit code|exit status|(?:process|command) exited|wall time|chunk id|signal\b|process group|background pids|original token count|output:|sibling tool call errored)/i,
  /^\s*(?:--- PASS|PASS\b|ok\b|[✓✔√]|\(pass\)|=== [A-Z])/,
  /^\s*(?:\[[^\]]{1,40}\]\s*)?[$>+] /,
  /^\s*-{1,2}[a-z]/i,
  /^\s*\d+\s*[|│:]/,
  /^\s*["{}[\]]/,
];
/** The location at which an error was thrown. */
const FRAME = /^\s*(?:at |--> |❯ |File ").{1,300}?\d/;
const CALL_STACK = /\+0x[\da-f]+$/;
/** Markers of compilers and linters below a line of source code. */
const CARET = /^\s*(?:\d*\s*[|│]\s*)?[\^~]+/;
/** Words of a line without information beyond the failure itself. */
const SAYS_NO_MORE =
  /^(?:errors?|fail(?:ed|s|ing|ures?)?|tasks?|commands?|scripts?|process|exit(?:ed)?|code|status|with|found|some|were|was|is|emitted|while|running|checks?|runs?|tests?|the|an?|in|of|for|too|many|to)$/i;
const IN_QUOTES = /\[[^\]]{1,40}\]|"[^"]{1,80}"|'[^']{1,80}'|`[^`]{1,80}`/g;

const MAX_LINE = 2_000;
/** Maximum distance in lines between a failed check and its message. */
const NEAR = 60;
/** An output of up to this number of lines is a message, even without a word that indicates a failure. */
const SHORT_OUTPUT = 3;

/** True if a line names a check that failed. */
export function isFailedCheck(line: string): boolean {
  return FAILED_CHECK.test(line);
}

/**
 * The most informative line of a failed result: the failed check and its message, the first error with its location, or
 * the first line about a failure. Empty if there is none, because the exit code is enough then.
 *
 * @param tests True if the command tests, checks or builds. Then a location in a file is enough.
 */
function errorLine(text: string, tests: boolean): string {
  const lines = text
    .replace(/<\/?[a-z_]{3,30}>/g, "")
    .split(/[\r\n]+/)
    .filter((line) => line.length < MAX_LINE && line.trim() !== "");
  const useful = lines.map((line, index) => !isNoise(line, lines[index + 1] ?? ""));
  const find = (isWanted: (line: string) => boolean) =>
    lines.findIndex((line, index) => useful[index] === true && isWanted(line));
  const check = find((line) => FAILED_CHECK.test(line));
  if (check >= 0) {
    const message = messageOf(check, (index) => useful[index] === true && isMessage(lines[index] ?? ""), lines);
    return withMessage(lines[check] ?? "", message);
  }
  const wanted = [isMessage, ...(tests ? [isLocated] : []), (line: string) => TELLING.test(line)];
  const found = wanted.map(find).find((index) => index >= 0);
  if (found !== undefined) return withFrame(lines[found] ?? "", lines[found + 1] ?? "");
  const own = lines.filter((line, index) => useful[index] === true && isSentence(line));
  return own.length <= SHORT_OUTPUT && lines.length <= 2 * SHORT_OUTPUT ? oneLine(own[0] ?? "", LIMITS.says) : "";
}

/** True if a line names an error, or a location and the problem there. */
function isMessage(line: string): boolean {
  return NAMED.test(line) || (isLocated(line) && (TELLING.test(line) || WRONG.test(line)));
}

/** True if a line names a location in a file and has at least two words about it that do not report a success. */
export function isLocated(line: string): boolean {
  const place = LOCATED.exec(line)?.[0];
  if (place === undefined || WENT_WELL.test(line)) return false;
  return (
    (line.slice(place.length - 1).match(/(?<![\p{L}\p{N}_./-])\p{L}{2,}(?![\p{L}\p{N}_/]|\.\w)/gu) ?? []).length >= 2
  );
}

/**
 * The message of a failed check: the last match among the indented lines below it, else the nearest above, else the
 * next.
 */
function messageOf(check: number, isFine: (index: number) => boolean, lines: readonly string[]): string {
  let end = check + 1;
  while (end < lines.length && end <= check + NEAR && /^\s/.test(lines[end] ?? "")) end += 1;
  const below = Array.from({ length: end - check - 1 }, (_, i) => end - 1 - i);
  const above = Array.from({ length: Math.min(check, NEAR) }, (_, i) => check - 1 - i);
  const next = Array.from({ length: NEAR }, (_, i) => end + i);
  const found = [...below, ...above, ...next].find(isFine);
  return found === undefined ? "" : (lines[found] ?? "");
}

/** The name of a failed check with its message. */
function withMessage(check: string, message: string): string {
  const name = check.trim();
  const text = message === "" ? name : `${cutMiddle(name, LIMITS.says / 2)}: ${message.trim()}`;
  return oneLine(text.replace(/[━─═]{3,}/g, ""), LIMITS.says);
}

/** Appends the location at which an error was thrown. */
function withFrame(line: string, next: string): string {
  return oneLine(FRAME.test(next) ? `${line} ${next.trim()}` : line, LIMITS.says);
}

function isNoise(line: string, next: string): boolean {
  const isPrintedCode = FRAME.test(line) || CALL_STACK.test(line) || CARET.test(line) || CARET.test(next);
  return NOISE.some((pattern) => pattern.test(line)) || isPrintedCode || !isText(line) || saysNoMore(line);
}

/** True if a line has words, and more letters and digits than other characters: no separator, no progress bar. */
function isText(line: string): boolean {
  const signs = line.replace(/[\p{L}\p{N}\s]/gu, "").length;
  return /\p{L}{2}/u.test(line) && signs * 2 < line.replace(/\s/g, "").length;
}

function saysNoMore(line: string): boolean {
  const words = line.replace(IN_QUOTES, " ").match(/\p{L}[\p{L}\p{N}_./@-]*/gu) ?? [];
  return words.every((word) => SAYS_NO_MORE.test(word.replace(/[.]+$/, "")));
}

/** True for a message, false for a heading or a row of a table. */
function isSentence(line: string): boolean {
  if (/\S(?:\t| {2,})\S/.test(line)) return false;
  return (line.match(/(?:^|\s)[\p{Ll}][\p{L}'’]+(?=[\s,.:;]|$)/gu) ?? []).length >= 2 || /\S: \S/.test(line);
}
