import type { AnyModel, Embedder, Logger } from "throughline";
import { MODEL, type Workspace } from "throughline/internal/engine";
import {
  ABOVE_ZERO,
  AT_LEAST_ZERO,
  FLAG,
  FUNCTION,
  isRecord,
  OBJECT,
  type OptionRule,
  type OptionRules,
  TEXT,
  TEXTS,
} from "throughline/internal/util";
import type { SqlStore } from "throughline/sqlite";
import type { HistorySource } from "./inspect/session-units.ts";
import type { RateLimit } from "./middleware/request-limits.ts";
import type { Upstreams } from "./proxy/upstream/upstream.ts";

const MAX_SEARCH_WORKERS = 64;

/** Options of `createServer`. */
export interface ServerOptions {
  /** The store: `sqliteStore(path)` or `postgresStore(url)`. The caller closes it. Default: in memory. */
  readonly store?: SqlStore;
  /** Address to listen on (default `127.0.0.1`). Addresses that other machines can reach require tokens. */
  readonly host?: string;
  /** Port to listen on (default 4870; 0 picks a free port). */
  readonly port?: number;
  /** Folder of a built Studio to serve at `/`. Without it the server has no pages but `/docs`. */
  readonly studio?: string;
  /** Upstreams of the proxy: `/v1` in OpenAI's and Anthropic's form, `/v1beta` in Gemini's. */
  readonly upstreams?: Upstreams;
  /** Writes summaries and extracts facts: an AI SDK model or its id, or your own `Model`. Default: rules alone. */
  readonly model?: AnyModel;
  readonly embedder?: Embedder;
  /** Maximum memory for search indexes in bytes, of all users together (default 1 GiB). */
  readonly maxIndexBytes?: number;
  /**
   * Worker threads that search memories of 20,000 entries or more, so that the thread of the requests does not wait for a search (default:
   * one less than the cores, at most 4; 0 turns them off). They start when they are first needed.
   */
  readonly searchWorkers?: number;
  /** Project folders by project id. Predictions learn from their history, separately per project. */
  readonly workspaces?: ReadonlyMap<string, Workspace>;
  /**
   * Recorded sessions of agents on this machine, for the Studio's sessions. Not used if other machines can reach the
   * address.
   */
  readonly histories?: HistorySource;
  /** Path of the built report page, for exports of sessions. */
  readonly reportPage?: string;
  /** User id of requests without a token, if those are allowed (default `local`). */
  readonly localUser?: string;
  /** Requires a token for every request. Always on if other machines can reach the address. */
  readonly isTokenRequired?: boolean;
  /**
   * Host names that the server answers to, in addition to loopback names. Default: any name if other machines can reach
   * the address.
   */
  readonly allowedHosts?: readonly string[];
  readonly rateLimit?: RateLimit;
  /** Milliseconds until a response must start (default 120,000). */
  readonly responseTimeout?: number;
  /** Milliseconds until a request must have arrived, including its body (default 120,000). */
  readonly requestTimeout?: number;
  /** Maximum number of open connections (default 2,000). Further ones are closed at once. */
  readonly maxConnections?: number;
  /** Milliseconds that `close` waits for running responses and jobs (default 5,000). */
  readonly shutdownTimeout?: number;
  readonly logger?: Logger;
  /** Called with internal errors. */
  readonly onError?: (error: unknown) => void;
  /** Called after each turn that passed through the proxy. */
  readonly onProxyTurn?: () => void;
}

const UPSTREAMS: OptionRule = [
  (value) => isRecord(value) && Object.entries(value).every(([name, one]) => isFamily(name) && isUpstream(one)),
  "an object with `openai`, `anthropic` or `gemini`, each with a `url`",
];

function isFamily(name: string): boolean {
  return name === "openai" || name === "anthropic" || name === "gemini";
}

function isUpstream(value: unknown): boolean {
  return value === undefined || (isRecord(value) && typeof value.url === "string");
}

export const SERVER_RULES: OptionRules<ServerOptions> = {
  store: [
    (value) => typeof value === "object" && value !== null && "server" in value,
    "a store for servers: sqliteStore(path) or postgresStore(url)",
  ],
  host: TEXT,
  port: [(value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535, "a port from 0 to 65535"],
  studio: TEXT,
  upstreams: UPSTREAMS,
  model: [MODEL[0], `${MODEL[1]}. Upstreams of the proxy are set in \`upstreams\``],
  embedder: OBJECT,
  maxIndexBytes: ABOVE_ZERO,
  searchWorkers: [
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_SEARCH_WORKERS,
    `a whole number from 0 to ${MAX_SEARCH_WORKERS}`,
  ],
  workspaces: OBJECT,
  histories: OBJECT,
  reportPage: TEXT,
  localUser: TEXT,
  isTokenRequired: FLAG,
  allowedHosts: TEXTS,
  rateLimit: OBJECT,
  responseTimeout: ABOVE_ZERO,
  requestTimeout: ABOVE_ZERO,
  maxConnections: ABOVE_ZERO,
  shutdownTimeout: AT_LEAST_ZERO,
  logger: OBJECT,
  onError: FUNCTION,
  onProxyTurn: FUNCTION,
};
