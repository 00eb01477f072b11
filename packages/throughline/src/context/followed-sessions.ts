import { omitUndefined } from "../internal/json.ts";
import type { PredictInput, Signal } from "./context-api.ts";
import { cleanPath } from "./file-paths.ts";

const MAX_SESSIONS = 100;
const MAX_FILES = 20;

/** What a session is at: the last that was heard of each thing, and the files before it, the newest last. */
export type SessionState = Pick<PredictInput, "fileOpened" | "branch" | "error" | "collaborator" | "recentFiles">;

/** What sessions are at, as their signals told it. */
export class FollowedSessions {
  /** The one that was heard of last stands last. */
  readonly #states = new Map<string, SessionState>();

  get(sessionId: string | undefined): SessionState | undefined {
    return sessionId === undefined ? undefined : this.#states.get(sessionId);
  }

  forget(sessionId: string): void {
    this.#states.delete(sessionId);
  }

  /** All that is known of what a session is at, with what happened now. */
  follow(signal: Signal): Signal {
    const { sessionId } = signal;
    if (sessionId === undefined) return signal;
    const before = this.#states.get(sessionId) ?? {};
    const { fileOpened = before.fileOpened, branch = before.branch, error = before.error } = signal;
    const { collaborator = before.collaborator, recentFiles = filesBefore(before, fileOpened) } = signal;
    const state = omitUndefined({ fileOpened, branch, error, collaborator, recentFiles });
    this.#states.delete(sessionId);
    this.#states.set(sessionId, state);
    const [oldest] = this.#states.keys();
    if (oldest !== undefined && this.#states.size > MAX_SESSIONS) this.#states.delete(oldest);
    return { ...signal, ...state };
  }
}

function filesBefore({ fileOpened, recentFiles = [] }: SessionState, opened: string | undefined): readonly string[] {
  const files = fileOpened === undefined ? recentFiles : [...recentFiles, cleanPath(fileOpened)];
  const now = opened === undefined ? undefined : cleanPath(opened);
  const once = files.filter((file, at) => file !== now && files.lastIndexOf(file) === at);
  return once.slice(-MAX_FILES);
}
