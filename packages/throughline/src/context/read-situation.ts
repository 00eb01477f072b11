import { InvalidOptionError } from "../errors/invalid-option-error.ts";
import { isRecord, omitUndefined } from "../internal/json.ts";
import { readTerms } from "../language/terms.ts";
import { findIdentifiers } from "../ledger/find-identifiers.ts";
import { checkTime } from "../memory/service/check-input.ts";
import type { ContextSignals } from "../ports/context-signals.ts";
import type { Signal } from "./context-api.ts";
import { cleanPath, folderOf, placeNames } from "./file-paths.ts";
import { isTrunk } from "./predict/signals/branch.ts";
import type { LastSession } from "./prediction-source.ts";

/** What is going on, as the rules of the tiers look at it. */
export interface Situation {
  readonly file?: string;
  readonly folder?: string;
  /** Files that were at hand before, the newest first. */
  readonly recentFiles: readonly string[];
  /** Where nothing is said of files, the last session, and those that it left off at, the newest first. */
  readonly lastSession?: string;
  readonly leftOff: readonly string[];
  /** What has to do with files is wanted, and hardly anything else. */
  readonly isFileWork: boolean;
  /** Stems of the words by which people speak of the folder, and of the file. */
  readonly folderWords: readonly number[];
  readonly fileWords: readonly number[];
  /** Stems of what is to be done, as far as its words tell. */
  readonly taskWords: readonly number[];
  readonly errors: readonly string[];
  /** Names that have to be typed exactly, in what is asked for and in the errors. */
  readonly names: ReadonlySet<string>;
  /** What memories are searched for by; empty where there is nothing to go by. */
  readonly question: string;
  readonly collaborator?: string;
  readonly sessionId?: string;
  /** When it is. */
  readonly at: number;
}

/** Says of a branch what kind of work is done on it, or whose it is. */
const PREFIX = /^(?:[\w.-]+\/)?(?:feat(?:ure)?|fix|bug(?:fix)?|hotfix|chore|refactor|task|wip|user)s?\//i;
const MAX_ERRORS = 10;
const MAX_ERROR_LENGTH = 2_000;
const MAX_RECENT = 8;

/** What is asked for beside the signals, and what was there before them. */
export interface Surroundings {
  readonly message?: string | undefined;
  readonly last?: LastSession | undefined;
  readonly now: number;
}

export function readSituation(signals: ContextSignals, { message, last, now }: Surroundings): Situation {
  checkTexts({ message });
  const { currentFile, recentFiles = [], recentErrors = [], branch, collaborator, sessionId, at = now } = signals;
  const file = currentFile === undefined || currentFile.trim() === "" ? undefined : cleanPath(currentFile);
  const names = file === undefined ? { folders: [], file: [] } : placeNames(file);
  const work = branchWords(branch);
  const asked = message?.trim() ?? "";
  const recent = newestFirst(recentFiles).filter((path) => path !== file);
  const leftOff = newestFirst(last?.files ?? []);
  const errors = recentErrors.slice(-MAX_ERRORS).map((error) => error.slice(0, MAX_ERROR_LENGTH));
  return omitUndefined({
    file,
    folder: file === undefined ? undefined : folderOf(file),
    recentFiles: recent.slice(0, MAX_RECENT),
    lastSession: last?.id,
    leftOff: leftOff.slice(0, MAX_RECENT),
    // Who says what they want may have turned to something else than what was worked on last.
    isFileWork: file !== undefined || recent.length + errors.length > 0 || (asked === "" && leftOff.length > 0),
    folderWords: stems(names.folders.join(" ")),
    fileWords: stems(names.file.join(" ")),
    taskWords: stems(`${asked} ${work}`),
    errors,
    names: new Set(findIdentifiers([asked, ...errors].join("\n")).keys()),
    question: asked === "" ? work : asked,
    collaborator,
    sessionId,
    at,
  });
}

function newestFirst(files: readonly string[]): readonly string[] {
  return [...new Set(files.map(cleanPath).reverse())];
}

/** The file that is worked on, and those before it. */
export function filesAtHand({ file, recentFiles, leftOff }: Situation): readonly string[] {
  return [...(file === undefined ? [] : [file]), ...recentFiles, ...leftOff];
}

/** What the signals tell a predictor. */
export function toPredictInput(signals: ContextSignals): Signal {
  const { currentFile, recentFiles, recentErrors, branch, collaborator, sessionId, at } = signals;
  return omitUndefined({
    sessionId,
    recentFiles,
    fileOpened: currentFile === undefined ? undefined : cleanPath(currentFile),
    branch,
    error: recentErrors?.at(-1),
    collaborator,
    at,
  });
}

function branchWords(branch = ""): string {
  const own = branch.trim().replace(PREFIX, "");
  return isTrunk(own) ? "" : own.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

function stems(text: string): readonly number[] {
  return [...new Set(readTerms(text).map(({ hash }) => hash))];
}

/** @throws InvalidOptionError where they are not what they should be. */
export function checkSignals(signals: ContextSignals): void {
  if (!isRecord(signals)) throw new InvalidOptionError("signals", typeof signals, "an object");
  const { currentFile, activity, branch, collaborator, sessionId, recentErrors, recentFiles, at } =
    signals as ContextSignals;
  checkTexts({ currentFile, activity, branch, collaborator, sessionId });
  for (const [name, value] of Object.entries({ recentErrors, recentFiles })) {
    if (value !== undefined && !isTexts(value)) throw new InvalidOptionError(name, typeof value, "a list of texts");
  }
  checkTime("at", at);
}

function checkTexts(texts: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(texts)) {
    if (value !== undefined && typeof value !== "string") throw new InvalidOptionError(name, typeof value, "a text");
  }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
