import type { AnyModel } from "./compact/prose/model-adapter.ts";
import type { ContextService } from "./context/context-service.ts";
import type { OwnActivities } from "./context/tiers/activity-plan.ts";
import type { MemoryService } from "./memory/memory-service.ts";
import type { PurgeSessionOptions } from "./memory/purge-memory.ts";
import type { SearchExecutor } from "./memory/search/thread-search.ts";
import type { Clock } from "./ports/clock.ts";
import type { Embedder } from "./ports/embedder.ts";
import type { Logger } from "./ports/logger.ts";
import type { ModelCall } from "./ports/model.ts";
import type { SessionSummary, Store } from "./ports/store.ts";
import type { Workspace } from "./ports/workspace.ts";
import type { Session } from "./session/session.ts";
import type { SessionOptions } from "./session/session-options.ts";
import type { Tracer } from "./telemetry/with-span.ts";

/** Options of `createThroughline`. */
export interface ThroughlineOptions {
  /** Store for sessions and memories. Default: in this process. */
  readonly store?: Store;
  /**
   * Writes the prose of summaries and extracts facts: an AI SDK model or its id, or your own `Model`. Default: rules
   * alone.
   */
  readonly model?: AnyModel;
  /** Called after each request to the model with its outcome. Use it to count calls and failures. Default: none. */
  readonly onModelCall?: (call: ModelCall) => void;
  /** Turns texts into vectors for search. Default: the small one that ships with the package. */
  readonly embedder?: Embedder;
  /**
   * Maximum memory for search indexes in bytes, of all users and stores of this process together: the last value that
   * is set counts. An index that does not fit is read again when it is used. Default: 1 GiB.
   */
  readonly maxIndexBytes?: number;
  /** Runs searches of large indexes in other threads. The server sets it. Default: none, all run in this thread. */
  readonly searchExecutor?: SearchExecutor;
  /** Source of the time. Default: the system clock. */
  readonly clock?: Clock;
  /** Receives warnings and notes. Default: none. */
  readonly logger?: Logger;
  /** An OpenTelemetry tracer: gets a span for every turn, compaction, pruning and operation on memories. */
  readonly tracer?: Tracer;
  /** Adds queries, memories and summaries to spans. Default: `false`, spans hold numbers and ids only. */
  readonly recordContent?: boolean;
  /** Owner of the sessions and memories. Users never see each other's. Default: `local`. */
  readonly userId?: string;
  /** The current project. Memories saved with it are recalled only there, and can be shared in it. */
  readonly projectId?: string;
  /**
   * Reads memories of all projects: private ones of any project, and shared ones of these. For tools that list, export
   * or erase.
   */
  readonly allProjects?: readonly string[];
  /** Refuses changes of memories in the scope `system`, which all users share. For servers with many users. */
  readonly isSystemReadOnly?: boolean;
  /** Files and history of the project, to predict what is needed next. */
  readonly workspace?: Workspace;
  /** Shares of the context budget for activities of your own. */
  readonly activities?: OwnActivities;
  /**
   * Gets the promise of each piece of background work, such as a summary by the model, which never rejects. Pass the
   * function of your serverless platform, so that the work is not cut off after a response.
   */
  readonly waitUntil?: (work: Promise<void>) => void;
}

/** Sessions, memory and context of one user. Created by `createThroughline`. */
export interface Throughline {
  /**
   * Opens a session; an unknown id starts a new one. Reads and writes nothing until you call a method of the session.
   *
   * @param id Id of the session, unique for the user.
   * @param options Model, limits and profile. They apply from this call on and are not stored. Without options, the
   *   session keeps those it was last opened with in this process; that is remembered for the 500 sessions used last.
   * @throws InvalidOptionError for unknown options, values of the wrong type and unknown profiles.
   *
   * @example
   * const session = tl.session("s1", { modelId: "claude-sonnet-4-5", profile: "chat" });
   */
  session(id: string, options?: SessionOptions): Session;
  /** Memories across sessions: remember, recall, forget. */
  readonly memory: MemoryService;
  /** Assembles memories for the current work within a token budget, and predicts which will be needed. */
  readonly context: ContextService;
  /**
   * Lists the user's sessions, sorted by id.
   *
   * @param page Maximum number of sessions (`limit`), and the id after which the list starts (`after`). Default: all
   *   sessions.
   *
   * @example
   * const first = await tl.sessions({ limit: 100 });
   * const after = first.at(-1)?.sessionId;
   * const second = after === undefined ? [] : await tl.sessions({ limit: 100, after });
   */
  sessions(page?: { readonly after?: string; readonly limit?: number }): Promise<readonly SessionSummary[]>;
  /**
   * Erases a session permanently: its messages, receipts and compactions, and the memories extracted from it.
   *
   * @param id Id of the session.
   * @param options `keepMemories: true` keeps the extracted memories, without the text that they come from.
   *
   * @example
   * await tl.purgeSession("s1", { keepMemories: true });
   */
  purgeSession(id: string, options?: PurgeSessionOptions): Promise<void>;
  /**
   * Finishes pending work, such as facts of sessions with `remember`, stops summaries that a model is still writing,
   * and closes the store. Call it once, at the end.
   *
   * @example
   * await tl.close();
   */
  close(): Promise<void>;
}
