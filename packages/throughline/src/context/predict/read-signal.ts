import { omitUndefined } from "../../internal/json.ts";
import { HOUR } from "../../internal/time.ts";
import type { Signal } from "../context-api.ts";
import { readWords } from "./naming-habits.ts";

/** A validated and normalized signal. */
export interface ReadSignal {
  /** Undefined if no file was opened, or one outside of the project. */
  readonly file?: string;
  /** Newest last, without files outside of the project. */
  readonly recentFiles: readonly string[];
  readonly at: number;
  /** Keys of the current branch, error and collaborator. */
  readonly signals: readonly string[];
  readonly hour: string;
  readonly words: readonly string[];
  readonly error?: string;
  readonly branch?: string;
  readonly collaborator?: string;
  readonly seen?: string;
  readonly sessionId?: string;
  readonly memoriesUsed: readonly string[];
  readonly limit: number;
}

const DEFAULT_LIMIT = 10;
const MAX_RECENT = 60;
const NEAR_HOURS = 1;

export function readSignal(signal: Signal, now: number): ReadSignal {
  const { fileOpened, recentFiles = [], branch, error, collaborator, seen, sessionId, memoriesUsed = [] } = signal;
  const { at = now, limit = DEFAULT_LIMIT } = signal;
  const signature = error === undefined ? undefined : errorSignature(error);
  const name = collaborator?.trim().toLowerCase() ?? "";
  return omitUndefined({
    file: fileOpened === undefined ? undefined : projectPath(fileOpened),
    recentFiles: recentFiles.slice(-MAX_RECENT).flatMap((path) => projectPath(path) ?? []),
    at,
    signals: [
      ...branchSignal(branch ?? ""),
      ...(signature === undefined ? [] : [`error ${signature}`]),
      ...(name === "" ? [] : [`with ${name}`]),
    ],
    hour: `hour ${hourOf(at)}`,
    words: branchWords(branch ?? ""),
    error,
    branch,
    collaborator,
    seen,
    sessionId,
    memoriesUsed: memoriesUsed.filter((id) => id !== ""),
    limit,
  });
}

/** A stored signal in words, for reasons: "with the same error". */
export function describeSignal(signal: string): string {
  const [kind = "", name = ""] = splitAtSpace(signal);
  if (kind === "branch") return `on branch ${name}`;
  if (kind === "with") return `with ${name}`;
  return kind === "hour" ? "at this hour" : "with the same error";
}

function splitAtSpace(text: string): readonly string[] {
  const at = text.indexOf(" ");
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Hour of the day in UTC, from 0 to 23. Only compared with other hours, so the time zone does not matter. */
export function hourOf(at: number): number {
  return Math.floor(at / HOUR) % 24;
}

/** Share of times within an hour of the given time of day. It grows with the number of times. */
export function shareAtHour(times: readonly number[] | undefined, at: number): number {
  const now = hourOf(at);
  const apart = (time: number): number => Math.abs(hourOf(time) - now);
  const near = (times ?? []).filter((time) => Math.min(apart(time), 24 - apart(time)) <= NEAR_HOURS);
  return near.length / ((times?.length ?? 0) + 1);
}

/** Branch names that describe no task. */
const TRUNK = /^(?:main|master|trunk|develop|dev|development|staging|production|release|head)$/i;
const BRANCH = "branch ";
const MAX_BRANCH_LENGTH = 200;

/** True for a main or other long-lived branch. */
export function isTrunk(name: string): boolean {
  return TRUNK.test(name);
}

/** Signal of a branch. Empty for long-lived branches. */
export function branchSignal(branch: string): readonly string[] {
  const name = branch.trim().slice(0, MAX_BRANCH_LENGTH);
  return name === "" || isTrunk(name) ? [] : [`${BRANCH}${name}`];
}

export function isBranchSignal(signal: string): boolean {
  return signal.startsWith(BRANCH);
}

/** Descriptive words of a branch name: `ada/fix-login-redirect` has fix, login and redirect. */
export function branchWords(branch: string): readonly string[] {
  const name = branch.trim().slice(0, MAX_BRANCH_LENGTH);
  return isTrunk(name) ? [] : readWords(name.replace(/^[^/]*\/(?=.)/, ""));
}

const MAX_ERROR_LENGTH = 8_000;
const MAX_LINE_LENGTH = 1_000;
const MAX_SIGNATURE_LENGTH = 160;
const SPECIFIC = /error|exception|panic|fatal|failed|failure|cannot|denied|undefined|not found/i;
/** Variable parts of an error with their placeholders. The order matters, because a path can contain numbers. */
const CHANGING: readonly (readonly [pattern: RegExp, placeholder: string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal are made of them.
  [/\u001b\[[\d;]*[A-Za-z]/g, ""],
  [/\b[a-z][a-z+.-]{1,12}:\/\/[^\s"'`)<>]+/gi, "<url>"],
  [/(["'`])(?:(?!\1)[^\n\\]|\\.){0,400}\1/g, "<value>"],
  [/(?<![\w.@~+\\/-])(?:[A-Za-z]:)?(?:[\\/]|[\w.@~+-]+[\\/])[\w.@~+\\/-]*[\w@~+-]/g, "<path>"],
  [/(?<![\w-])[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|php|cs|cpp|[ch]|json|ya?ml|toml|md|sql|sh)\b/gi, "<path>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/gi, "<id>"],
  [/\b0x[0-9a-f]+\b/gi, "<number>"],
  [/\d+(?:[.,:]\d+)*/g, "<number>"],
  [/\s+/g, " "],
];

/**
 * Signature of an error: its main line with placeholders for variable parts. Errors with the same cause have the same
 * signature. Undefined for an empty text.
 *
 * @example
 * errorSignature("TypeError: Cannot read 'name' of undefined\n  at a.ts:3"); // "typeerror: cannot read <value> of
 * undefined"
 */
export function errorSignature(error: string): string | undefined {
  const lines = error
    .slice(0, MAX_ERROR_LENGTH)
    .split("\n")
    .map((line) => line.slice(0, MAX_LINE_LENGTH).trim())
    .filter((line) => line !== "");
  const specific = lines.find((line) => SPECIFIC.test(line)) ?? lines[0];
  if (specific === undefined) return undefined;
  const plain = CHANGING.reduce((text, [pattern, placeholder]) => text.replace(pattern, placeholder), specific);
  return plain.trim().toLowerCase().slice(0, MAX_SIGNATURE_LENGTH) || undefined;
}

const MAX_PATH_LENGTH = 400;

/**
 * Normalizes a path relative to the project root: `/` as separator, without `.` and `..`. Undefined for an absolute
 * path, a path outside of the project, a file of git itself, or an invalid one.
 */
export function projectPath(path: string): string | undefined {
  const plain = path.replaceAll("\\", "/");
  if (plain.includes("\0") || /^(?:\/|~\/|[A-Za-z]:)/.test(plain)) return undefined;
  const names: string[] = [];
  for (const name of plain.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  if (names.includes(".git")) return undefined;
  const clean = names.join("/");
  return clean === "" || clean.length > MAX_PATH_LENGTH ? undefined : clean;
}
