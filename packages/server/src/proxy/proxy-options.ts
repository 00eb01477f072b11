import { inProcessStore, type SessionOptions } from "throughline";
import type { DocumentStore } from "throughline/internal/sql";
import { omitUndefined } from "throughline/internal/util";
import type { Caller } from "../server-env.ts";
import type { SessionIndexCache } from "./sessions/session-index.ts";
import { Upstream } from "./upstream/upstream.ts";
import { UpstreamLimits } from "./upstream/upstream-limits.ts";
import type { UpstreamModel } from "./upstream/upstream-model.ts";
import type { Wire } from "./wire/wire.ts";

export interface ProxyOptions {
  /** An OpenAI-compatible upstream. */
  readonly model?: UpstreamModel | undefined;
  /** An Anthropic-compatible upstream, such as `https://api.anthropic.com`. */
  readonly anthropic?: UpstreamModel | undefined;
  /** A Gemini-compatible upstream, such as `https://generativelanguage.googleapis.com`. */
  readonly gemini?: UpstreamModel | undefined;
  /** Stores which conversation belongs to which session. Default: in memory. */
  readonly documents?: DocumentStore | undefined;
  /** Adds memories after the system prompt, unless a request turns this off. */
  readonly memory?: boolean | undefined;
  /** Context windows by model id or prefix, overriding the built-in ones. */
  readonly contextLimits?: Readonly<Record<string, number>> | undefined;
  /**
   * Called after messages were appended to a session, with the options it is opened with. The callee also extracts
   * memories if `remember` is set; without a callback, the session does it itself.
   */
  readonly onAppend?: (caller: Caller, sessionId: string, options: SessionOptions) => Promise<void> | void;
  /** Milliseconds to wait for the store before a request or response is forwarded without it (default 10,000). */
  readonly maxStoreWait?: number | undefined;
  /**
   * Milliseconds that preparing a request may take beyond `maxStoreWait` while a model writes a summary or embeds a
   * query (default 60,000). After that, the request is forwarded unchanged.
   */
  readonly maxModelWait?: number | undefined;
  /** Called with internal errors. */
  readonly onError?: (error: unknown) => void;
}

/** A request takes milliseconds; a locked database may take longer than a client waits. */
const DEFAULT_STORE_WAIT = 10_000;
/** A summary may take 30 seconds. */
const DEFAULT_MODEL_WAIT = 60_000;

/** Shared by all requests. */
export interface SharedParts {
  readonly upstreams: Readonly<Partial<Record<Wire["family"], Upstream>>>;
  readonly documents: DocumentStore;
  readonly memory: boolean;
  readonly limits: UpstreamLimits;
  readonly inFlight: InFlightSessions;
  readonly cache: SessionIndexCache;
  readonly maxStoreWait: number;
  readonly maxModelWait: number;
  readonly onAppend: ProxyOptions["onAppend"];
  readonly onError: (error: unknown) => void;
}

/** @throws InvalidOptionError if an upstream is invalid */
export function readOptions(options: ProxyOptions): SharedParts {
  const { model, anthropic, gemini, documents, memory, contextLimits, onAppend, onError } = options;
  const { maxStoreWait = DEFAULT_STORE_WAIT, maxModelWait = DEFAULT_MODEL_WAIT } = options;
  return {
    upstreams: omitUndefined({
      openai: model && new Upstream("openai", model),
      anthropic: anthropic && new Upstream("anthropic", anthropic),
      gemini: gemini && new Upstream("gemini", gemini),
    }),
    documents: documents ?? inProcessStore().documents,
    memory: memory ?? false,
    limits: new UpstreamLimits(contextLimits),
    inFlight: new InFlightSessions(),
    cache: { queues: new Map(), seeds: new Map() },
    maxStoreWait,
    maxModelWait,
    onAppend,
    onError: (error) => report(error, onError),
  };
}

/** Reports an error. A failing logger must not affect the response. */
function report(error: unknown, onError: ProxyOptions["onError"]): void {
  try {
    onError?.(error);
  } catch {
    // Nothing left to report to.
  }
}

/** Sessions with a request in flight. */
class InFlightSessions {
  readonly #taken = new Set<string>();

  /** Returns `false` if another request has the session. */
  take(userId: string, sessionId: string): boolean {
    const name = nameOf(userId, sessionId);
    if (this.#taken.has(name)) return false;
    this.#taken.add(name);
    return true;
  }

  release(userId: string, sessionId: string): void {
    this.#taken.delete(nameOf(userId, sessionId));
  }
}

function nameOf(userId: string, sessionId: string): string {
  return JSON.stringify([userId, sessionId]);
}
