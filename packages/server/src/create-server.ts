import { once } from "node:events";
import { createServer as createHttpServer, type ServerOptions as HttpServerOptions, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { AnyModel, Embedder, Logger } from "throughline";
import type { Workspace } from "throughline/internal/engine";
import {
  ABOVE_ZERO,
  AT_LEAST_ZERO,
  checkOptions,
  FLAG,
  FUNCTION,
  OBJECT,
  type OptionRules,
  QUIET,
  SYSTEM_CLOCK,
  TEXT,
  TEXTS,
} from "throughline/internal/util";
import { type SqlStore, sqliteStore } from "throughline/sqlite";
import { createApp } from "./create-app.ts";
import { createServices } from "./create-services.ts";
import { writeDirectly } from "./direct-answers.ts";
import type { HistorySource } from "./inspect/history-source.ts";
import { inUrl, isLoopback } from "./loopback.ts";
import type { RateLimit } from "./middleware/limit-rate.ts";
import { problem } from "./problem.ts";
import type { UpstreamModel } from "./proxy/upstream/upstream-model.ts";
import { ServerError } from "./server-error.ts";

const DEFAULT_TIME_LIMIT = 120_000;
const DEFAULT_SHUTDOWN_TIMEOUT = 5_000;
const DEFAULT_REQUEST_TIMEOUT = 120_000;
/** Milliseconds until the headers of a request must have arrived. */
const MAX_HEADERS_TIMEOUT = 20_000;
/** Milliseconds between checks for requests that arrive too slowly. */
const MAX_CHECK_INTERVAL = 5_000;
const DEFAULT_MAX_CONNECTIONS = 2_000;
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
  /** Upstreams for the proxy: `/v1` in OpenAI's and Anthropic's form, `/v1beta` in Gemini's. */
  readonly model?: UpstreamModel;
  readonly anthropic?: UpstreamModel;
  readonly gemini?: UpstreamModel;
  /** Writes summaries and extracts facts. Without it, rules do both. */
  readonly summarizer?: AnyModel;
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
  readonly timeLimit?: number;
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

/** A server that accepts requests. */
export interface RunningServer {
  /** Address of the Studio, such as `http://127.0.0.1:4870`. */
  readonly url: string;
  /** Port that it listens on. */
  readonly port: number;
  /** Stops accepting requests, waits for running responses and jobs, and aborts those that take too long. */
  close(): Promise<void>;
}

const RULES: OptionRules<ServerOptions> = {
  store: [
    (value) => typeof value === "object" && value !== null && "server" in value,
    "a store for servers: sqliteStore(path) or postgresStore(url)",
  ],
  host: TEXT,
  port: [(value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535, "a port from 0 to 65535"],
  studio: TEXT,
  model: OBJECT,
  anthropic: OBJECT,
  gemini: OBJECT,
  summarizer: OBJECT,
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
  timeLimit: ABOVE_ZERO,
  requestTimeout: ABOVE_ZERO,
  maxConnections: ABOVE_ZERO,
  shutdownTimeout: AT_LEAST_ZERO,
  logger: OBJECT,
  onError: FUNCTION,
  onProxyTurn: FUNCTION,
};

/**
 * Starts a server: the Studio, the API over a store, and the model proxy.
 *
 * @param options Store, address and limits. Default: a store in memory, at `http://127.0.0.1:4870`.
 * @returns The running server with its URL. Close it to release the port.
 * @throws InvalidOptionError if an option is invalid or unknown.
 * @throws ServerError if it cannot start: the port is in use, or other machines can reach the address and there is no
 *   token. The message says what to do.
 *
 * @example
 * const server = await createServer({ port: 0, store: sqliteStore("memory.db") });
 * console.log(server.url);
 * await server.close();
 */
export async function createServer(options: ServerOptions = {}): Promise<RunningServer> {
  checkOptions("createServer", options, RULES);
  const { host = "127.0.0.1", port = 4870, shutdownTimeout = DEFAULT_SHUTDOWN_TIMEOUT } = options;
  const store = options.store ?? sqliteStore(":memory:");
  const closeStore = async () => (options.store === undefined ? store.close() : undefined);
  try {
    const isOpen = !isLoopback(inUrl(host));
    if (isOpen) await refuseWithoutTokens(store, host);
    const services = createServices({
      clock: SYSTEM_CLOCK,
      logger: QUIET,
      ...options,
      ...(isOpen && { histories: undefined }),
      store,
    });
    const server = createHttpServer(timeoutsOf(options), listener(services, options, isOpen));
    server.maxConnections = options.maxConnections ?? DEFAULT_MAX_CONNECTIONS;
    const stop = async () => {
      services.endListening();
      await Promise.all([closeServer(server, shutdownTimeout), services.jobs.stop(shutdownTimeout)]);
      await services.catalog.settled();
      await services.reports.close();
      await services.pool.close();
      await services.searchWorkers?.close();
      await services.saveCalls();
      await closeStore();
    };
    await listen(server, host, port);
    services.jobs.start();
    const bound = (server.address() as AddressInfo).port;
    let closed: Promise<void> | undefined;
    const close = () => {
      closed ??= stop();
      return closed;
    };
    return { url: `http://${inUrl(host)}:${bound}`, port: bound, close };
  } catch (error) {
    await closeStore();
    throw error;
  }
}

async function refuseWithoutTokens({ server: { tokens } }: SqlStore, host: string): Promise<void> {
  const now = Date.now();
  const all = await tokens.list();
  if (all.some(({ revokedAt, expiresAt = now + 1 }) => revokedAt === undefined && expiresAt > now)) return;
  throw new ServerError(
    "not-loopback",
    `Cannot listen on ${host} without a token: other machines can reach this address.`,
  );
}

/** Limits how long a client may take to send a request. */
function timeoutsOf({ requestTimeout = DEFAULT_REQUEST_TIMEOUT }: ServerOptions): HttpServerOptions {
  return {
    requestTimeout,
    headersTimeout: Math.min(MAX_HEADERS_TIMEOUT, requestTimeout),
    connectionsCheckingInterval: Math.min(MAX_CHECK_INTERVAL, requestTimeout),
  };
}

type Services = ReturnType<typeof createServices>;

function listener(services: Services, options: ServerOptions, isOpen: boolean) {
  const { studio, model, anthropic, gemini, rateLimit, onError = () => undefined } = options;
  const { isTokenRequired = false, localUser = "local", timeLimit = DEFAULT_TIME_LIMIT } = options;
  const app = createApp(services, {
    studio,
    model,
    anthropic,
    gemini,
    rateLimit,
    timeLimit,
    localUser,
    isTokenRequired: isTokenRequired || isOpen,
    // If a token is required, DNS rebinding gains nothing, so any host name is fine.
    allowedHosts: options.allowedHosts ?? (isOpen ? "any" : []),
    onError,
    onProxyTurn: options.onProxyTurn,
  });
  const answer = async (request: Request, bindings: HttpBindings) =>
    writeDirectly(await app.fetch(request, bindings), bindings.outgoing);
  return getRequestListener((request, bindings) => answer(request, bindings as HttpBindings), {
    // A library does not change the globals of the process.
    overrideGlobalObjects: false,
    // Reached only by requests that cannot be parsed; the app answers all others.
    errorHandler: () => problem(400, "bad-request", "The request could not be parsed."),
  });
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw startError(error, `http://${inUrl(host)}:${port}`);
  }
}

function startError(cause: unknown, url: string): unknown {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "EADDRINUSE")
    return new ServerError("port-taken", `Port in use: something already listens at ${url}.`, { cause });
  if (code === "EACCES")
    return new ServerError("no-permission", `Permission denied: cannot listen at ${url}.`, { cause });
  if (code === "EADDRNOTAVAIL")
    return new ServerError("no-address", `Cannot listen at ${url}: this machine does not have that address.`, {
      cause,
    });
  return cause;
}

async function closeServer(server: Server, shutdownTimeout: number): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  // Browsers keep idle connections open, and `close` would wait for them.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cutOff = setTimeout(() => server.closeAllConnections(), shutdownTimeout);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutOff);
}
