import { omitUndefined } from "../internal/json.ts";
import { Lru } from "../internal/lru.ts";
import type { PredictInput, Signal } from "./context-api.ts";
import { cleanPath } from "./file-paths.ts";

const MAX_SESSIONS = 100;
const MAX_FILES = 20;

/** The latest signal of each kind in a session, and the files opened before, the newest last. */
export type SessionState = Pick<PredictInput, "fileOpened" | "branch" | "error" | "collaborator" | "recentFiles">;

/** The latest signals of each session. */
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
