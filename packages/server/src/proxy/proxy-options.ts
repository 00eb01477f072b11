import { inProcessStore, type SessionOptions } from "throughline";
import { type DocumentStore, omitUndefined } from "throughline/internal";
import type { Caller } from "../server-env.ts";
import { Claims } from "./in-flight.ts";
import type { BookCache } from "./session-index.ts";
import { Upstream } from "./upstream.ts";
import { UpstreamLimits } from "./upstream-limits.ts";
import type { UpstreamModel } from "./upstream-model.ts";
import type { Wire } from "./wire/wire.ts";

export interface ProxyOptions {
  /** What speaks as OpenAI's models do. */
  readonly model?: UpstreamModel | undefined;
  /** What speaks as Anthropic's do: `https://api.anthropic.com`. */
  readonly anthropic?: UpstreamModel | undefined;
  /** What speaks as Google's Gemini does: `https://generativelanguage.googleapis.com`. */
  readonly gemini?: UpstreamModel | undefined;
  /** Where it is kept which conversation is which session: the store's. In this process, where none is given. */
  readonly documents?: DocumentStore | undefined;
  /** Whether memories stand behind the system prompt where a request does not say. */
  readonly memory?: boolean | undefined;
  /** Tokens that models take in all, by id or by the beginning of one, where that is known better than here. */
  readonly contextLimits?: Readonly<Record<string, number>> | undefined;
  /**
   * Told of messages that were added to a session, and how it is opened. Whoever is told also reads along where
   * `remember` is set; without this the session does it itself.
   */
  readonly onAppend?: (caller: Caller, sessionId: string, options: SessionOptions) => Promise<void> | void;
  /** Milliseconds to wait for the store before a request, or an answer, is passed on without it (default 10,000). */
  readonly maxStoreWait?: number | undefined;
  /**
   * Milliseconds that preparing a request may take beyond `maxStoreWait` while a model writes a summary or embeds a
   * query (default 60,000). After that the request is forwarded unchanged.
   */
  readonly maxModelWait?: number | undefined;
  /** Told of what went wrong inside. */
  readonly onError?: (error: unknown) => void;
}

/** A request takes milliseconds; a locked database may take longer than a client waits. */
const DEFAULT_STORE_WAIT = 10_000;
/** A summary has 30 seconds. */
const DEFAULT_MODEL_WAIT = 60_000;

/** What all requests share. */
export interface SharedParts {
  readonly upstreams: Readonly<Partial<Record<Wire["family"], Upstream>>>;
  readonly documents: DocumentStore;
  readonly memory: boolean;
  readonly limits: UpstreamLimits;
  readonly claims: Claims;
  readonly cache: BookCache;
  readonly maxStoreWait: number;
  readonly maxModelWait: number;
  readonly onAppend: ProxyOptions["onAppend"];
  readonly onError: (error: unknown) => void;
}

/** @throws InvalidOptionError where an upstream cannot be asked. */
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
    claims: new Claims(),
    cache: { queues: new Map(), seeds: new Map() },
    maxStoreWait,
    maxModelWait,
    onAppend,
    onError: (error) => report(error, onError),
  };
}

/** A log that fails must not cost anybody their answer. */
function report(error: unknown, onError: ProxyOptions["onError"]): void {
  try {
    onError?.(error);
  } catch {
    // There is nobody else to tell.
  }
}
