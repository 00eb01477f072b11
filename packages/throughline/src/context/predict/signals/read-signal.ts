import { InvalidOptionError } from "../../../errors/invalid-option-error.ts";
import { isRecord, omitUndefined } from "../../../internal/json.ts";
import type { Signal } from "../../context-api.ts";
import { branchSignal, branchWords } from "./branch.ts";
import { errorSignature } from "./error-signature.ts";
import { projectPath } from "./project-path.ts";

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
const MAX_PREDICTED = 50;
const MAX_RECENT = 60;
const HOUR = 3_600_000;
const NEAR_HOURS = 1;
const TEXTS = ["fileOpened", "branch", "error", "collaborator", "seen", "sessionId"] as const;
const LISTS = ["recentFiles", "memoriesUsed"] as const;

/** @throws InvalidOptionError if a field has the wrong type. */
export function readSignal(signal: Signal, now: number): ReadSignal {
  checkSignal(signal);
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

function checkSignal(signal: Signal): void {
  if (!isRecord(signal as unknown)) throw new InvalidOptionError("signal", typeof signal, "what happened");
  for (const name of TEXTS) {
    const value = signal[name];
    if (value !== undefined && typeof value !== "string") throw new InvalidOptionError(name, typeof value, "a text");
  }
  for (const name of LISTS) {
    const value = signal[name];
    if (value === undefined) continue;
    if (!Array.isArray(value) || value.some((one) => typeof one !== "string")) {
      throw new InvalidOptionError(name, typeof value, "a list of texts");
    }
  }
  const { at, limit } = signal;
  if (at !== undefined && !(Number.isFinite(at) && at >= 0)) {
    throw new InvalidOptionError("at", at, "milliseconds since 1970");
  }
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_PREDICTED)) {
    throw new InvalidOptionError("limit", limit, `a whole number from 1 to ${MAX_PREDICTED}`);
  }
}
