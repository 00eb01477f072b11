import { omitUndefined } from "../internal/json.ts";
import { Lru } from "../internal/lru.ts";
import { termHashes } from "../language/terms.ts";
import { findIdentifiers } from "../ledger/find-identifiers.ts";
import type { ContextSignals } from "../ports/workspace.ts";
import type { PredictInput, Signal } from "./context-api.ts";
import { cleanPath, folderOf, placeNames } from "./file-paths.ts";
import type { LastSession } from "./predict/predictor.ts";
import { isTrunk } from "./predict/read-signal.ts";

/** Signals about the current work, normalized for the tier rules. */
export interface NormalizedSignals {
  readonly file?: string;
  readonly folder?: string;
  /** Files that were used before, newest first. */
  readonly recentFiles: readonly string[];
  /** Id of the last session and its files, newest first, if the signals contain no files. */
  readonly lastSession?: string;
  readonly leftOff: readonly string[];
  /** True if memories about files matter most. */
  readonly isFileWork: boolean;
  /** Stems of the descriptive words in the names of the folder and of the file. */
  readonly folderWords: readonly number[];
  readonly fileWords: readonly number[];
  /** Stems of the words that describe the task. */
  readonly taskWords: readonly number[];
  readonly errors: readonly string[];
  /** Identifiers in the question and in the errors. */
  readonly names: ReadonlySet<string>;
  /** Query for the memory search: the message, or else the words of the branch. Empty if there is none. */
  readonly question: string;
  /** True if the question is a message. */
  readonly isAsked: boolean;
  readonly collaborator?: string;
  readonly sessionId?: string;
  /** Current time, in milliseconds since 1970. */
  readonly at: number;
}

/** Prefix of a branch name: owner, kind of work, or both. */
const PREFIX = /^[^/]*\/(?:(?:feat(?:ure)?|fix|bug(?:fix)?|hotfix|chore|refactor|task|wip|user)s?\/)?(?=.)/i;
const MAX_ERRORS = 10;
const MAX_ERROR_LENGTH = 2_000;
const MAX_RECENT = 8;

/** Message, last session and time, in addition to the signals. */
export interface SignalOptions {
  readonly message?: string | undefined;
  readonly last?: LastSession | undefined;
  readonly now: number;
}

export function normalizeSignals(signals: ContextSignals, { message, last, now }: SignalOptions): NormalizedSignals {
  const { currentFile, recentFiles = [], recentErrors = [], branch, collaborator, sessionId, at = now } = signals;
  const file = currentFile === undefined || currentFile.trim() === "" ? undefined : cleanPath(currentFile);
  const names = file === undefined ? { folders: [], file: [] } : placeNames(file);
  const work = branchWords(branch);
  const question = message?.trim() ?? "";
  const recent = newestFirst(recentFiles).filter((path) => path !== file);
  const leftOff = newestFirst(last?.files ?? []);
  const errors = recentErrors.slice(-MAX_ERRORS).map((error) => error.slice(0, MAX_ERROR_LENGTH));
  return omitUndefined({
    file,
    folder: file === undefined ? undefined : folderOf(file),
    recentFiles: recent.slice(0, MAX_RECENT),
    lastSession: last?.id,
    leftOff: leftOff.slice(0, MAX_RECENT),
    // With a message, the user may have turned to another task than that of the last session.
    isFileWork: file !== undefined || recent.length + errors.length > 0 || (question === "" && leftOff.length > 0),
    folderWords: stems(names.folders.join(" ")),
    fileWords: stems(names.file.join(" ")),
    taskWords: stems(`${question} ${work}`),
    errors,
    names: new Set(findIdentifiers([question, ...errors].join("\n")).keys()),
    question: question === "" ? work : question,
    isAsked: question !== "",
    collaborator,
    sessionId,
    at,
  });
}

function newestFirst(files: readonly string[]): readonly string[] {
  return [...new Set(files.map(cleanPath).reverse())];
}

/** The current file, then the files before it. */
export function filesAtHand({ file, recentFiles, leftOff }: NormalizedSignals): readonly string[] {
  return [...(file === undefined ? [] : [file]), ...recentFiles, ...leftOff];
}

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
  return [...termHashes(text)];
}

const MAX_SESSIONS = 100;
const MAX_FILES = 20;

/** The latest signal of each kind in a session, and the files opened before, the newest last. */
type SessionState = Pick<PredictInput, "fileOpened" | "branch" | "error" | "collaborator" | "recentFiles">;

export class SessionSignals {
  readonly #states = new Lru<string, SessionState>({ maxSize: MAX_SESSIONS });

  get(sessionId: string | undefined): SessionState | undefined {
    return sessionId === undefined ? undefined : this.#states.get(sessionId);
  }

  forget(sessionId: string): void {
    this.#states.delete(sessionId);
  }

  /** Adds a signal to its session. Returns the signal, completed with the latest ones of other kinds. */
  follow(signal: Signal): Signal {
    const { sessionId } = signal;
    if (sessionId === undefined) return signal;
    const before = this.#states.get(sessionId) ?? {};
    const { fileOpened = before.fileOpened, branch = before.branch, error = before.error } = signal;
    const { collaborator = before.collaborator, recentFiles = filesBefore(before, fileOpened) } = signal;
    const state = omitUndefined({ fileOpened, branch, error, collaborator, recentFiles });
    this.#states.set(sessionId, state);
    return { ...signal, ...state };
  }
}

function filesBefore({ fileOpened, recentFiles = [] }: SessionState, opened: string | undefined): readonly string[] {
  const files = fileOpened === undefined ? recentFiles : [...recentFiles, cleanPath(fileOpened)];
  const now = opened === undefined ? undefined : cleanPath(opened);
  const once = files.filter((file, at) => file !== now && files.lastIndexOf(file) === at);
  return once.slice(-MAX_FILES);
}
