import { once } from "node:events";
import { createServer as createHttpServer, type ServerOptions as HttpServerOptions, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { AnyModel, Embedder, Logger } from "throughline";
import { QUIET, type Workspace } from "throughline/internal";
import { type SqlStore, sqliteStore } from "throughline/sqlite";
import { createApp } from "./create-app.ts";
import { createServices } from "./create-services.ts";
import { inUrl, isLoopback } from "./loopback.ts";
import type { RateLimit } from "./middleware/limit-rate.ts";
import { problem } from "./problem.ts";
import type { UpstreamModel } from "./proxy/upstream-model.ts";
import { ServerError } from "./server-error.ts";

const DEFAULT_TIME_LIMIT = 120_000;
const DEFAULT_PATIENCE = 5_000;
const DEFAULT_REQUEST_TIMEOUT = 120_000;
/** Milliseconds in which the head of a request has to be there. */
const MAX_HEADERS_TIMEOUT = 20_000;
/** Milliseconds between two looks at requests that take too long to arrive. */
const MAX_CHECK_INTERVAL = 5_000;
const DEFAULT_MAX_CONNECTIONS = 2_000;

export interface ServerOptions {
  /** Where everything is kept: `sqliteStore(path)` or `postgresStore(url)`, which is the caller's to close. In memory if not given. */
  readonly store?: SqlStore;
  /** `127.0.0.1` if not given. One that others can reach is refused unless there are tokens. */
  readonly host?: string;
  /** 4870 if not given; 0 takes any free one. */
  readonly port?: number;
  /** Folder of a built Studio to serve at `/`. Without it the server has no pages but `/docs`. */
  readonly studio?: string;
  /** What `/v1` forwards to in OpenAI's form, and in Anthropic's; and `/v1beta` in Gemini's. */
  readonly model?: UpstreamModel;
  readonly anthropic?: UpstreamModel;
  readonly gemini?: UpstreamModel;
  /** Writes the prose of summaries and extracts facts; without it both are done by rules. */
  readonly summariser?: AnyModel;
  readonly embedder?: Embedder;
  /** What is on disk of projects, by their ids: predictions learn from their history. No other project sees anything of it. */
  readonly workspaces?: ReadonlyMap<string, Workspace>;
  /** Who comes without a token, where that is allowed; `local` if not given. */
  readonly localUser?: string;
  /** Nobody comes in without a token: always so where others can reach the address. */
  readonly isTokenRequired?: boolean;
  /** Names under which it is reached, beside those of this machine; any, where others can reach it and nothing is said. */
  readonly allowedHosts?: readonly string[];
  readonly rateLimit?: RateLimit;
  /** Milliseconds in which an answer has to begin; 120,000 if not given. */
  readonly timeLimit?: number;
  /** Milliseconds in which a request has to have arrived, body included; 120,000 if not given. */
  readonly requestTimeout?: number;
  /** Connections at a time; 2,000 if not given. More are closed at once. */
  readonly maxConnections?: number;
  /** How long `close` waits for answers and jobs that are under way, in milliseconds; 5,000 if not given. */
  readonly patience?: number;
  readonly logger?: Logger;
  /** Told of what went wrong inside. */
  readonly onError?: (error: unknown) => void;
}

export interface RunningServer {
  /** Where the Studio is, such as `http://127.0.0.1:4870`. */
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, lets answers and jobs that are under way come to their end, and cuts off what takes too long. */
  close(): Promise<void>;
}

/**
 * Starts a server: the Studio, the API over a store, and the model that was given.
 *
 * @throws ServerError where it cannot start, and says what to do.
 *
 * @example
 * const server = await createServer({ port: 0, store: sqliteStore("memory.db") });
 * console.log(server.url);
 * await server.close();
 */
export async function createServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { host = "127.0.0.1", port = 4870, patience = DEFAULT_PATIENCE } = options;
  const store = options.store ?? sqliteStore(":memory:");
  const closeStore = async () => (options.store === undefined ? store.close() : undefined);
  try {
    const isOpen = !isLoopback(inUrl(host));
    if (isOpen) await refuseWithoutTokens(store, host);
    const services = createServices({ clock: { now: () => Date.now() }, logger: QUIET, ...options, store });
    const server = createHttpServer(timeoutsOf(options), listener(services, options, isOpen));
    server.maxConnections = options.maxConnections ?? DEFAULT_MAX_CONNECTIONS;
    const stop = async () => {
      services.endListening();
      await Promise.all([closeServer(server, patience), services.jobs.stop(patience)]);
      await services.tenants.close();
      await closeStore();
    };
    await listen(server, host, port).catch(async (error: unknown) => {
      await services.jobs.stop(0);
      throw error;
    });
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
  throw new ServerError("not-loopback", `${host} can be reached by others, and there is no token that keeps them out.`);
}

/** A client that sends a request byte by byte does not keep its connection for ever. */
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
    // Where a token is needed, a name of another site's own gives it nothing.
    allowedHosts: options.allowedHosts ?? (isOpen ? "any" : []),
    onError,
  });
  return getRequestListener((request, bindings) => app.fetch(request, bindings as HttpBindings), {
    // A library leaves the globals of the process alone.
    overrideGlobalObjects: false,
    // What comes here is no request that could be read; the app answers everything else.
    errorHandler: () => problem(400, "bad-request", "The request cannot be read."),
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
  if (code === "EADDRINUSE") return new ServerError("port-taken", `Something runs at ${url} already.`, { cause });
  if (code === "EACCES") return new ServerError("no-permission", `No permission to listen at ${url}.`, { cause });
  if (code === "EADDRNOTAVAIL") return new ServerError("no-address", `This machine has no ${url}.`, { cause });
  return cause;
}

async function closeServer(server: Server, patience: number): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  // A browser keeps its connection after the answer: it would be waited for too.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cutOff = setTimeout(() => server.closeAllConnections(), patience);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutOff);
}
