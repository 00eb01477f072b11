import { once } from "node:events";
import { createServer as createHttpServer, type ServerOptions as HttpServerOptions, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { resolveModel } from "throughline/internal/engine";
import { checkOptions, omitUndefined, QUIET, SYSTEM_CLOCK } from "throughline/internal/util";
import { type SqlStore, sqliteStore } from "throughline/sqlite";
import { createApp } from "./create-app.ts";
import { createServices } from "./create-services.ts";
import { writeDirectly } from "./direct-answers.ts";
import { inUrl, isLoopback } from "./middleware/check-access.ts";
import { problem } from "./problem.ts";
import { ServerError } from "./server-error.ts";
import { SERVER_RULES, type ServerOptions } from "./server-options.ts";

const DEFAULT_RESPONSE_TIMEOUT = 120_000;
const DEFAULT_SHUTDOWN_TIMEOUT = 5_000;
const DEFAULT_REQUEST_TIMEOUT = 120_000;
/** Milliseconds until the headers of a request must have arrived. */
const MAX_HEADERS_TIMEOUT = 20_000;
/** Milliseconds between checks for requests that arrive too slowly. */
const MAX_CHECK_INTERVAL = 5_000;
const DEFAULT_MAX_CONNECTIONS = 2_000;

/** A server that accepts requests. */
export interface RunningServer {
  /** Address of the Studio, such as `http://127.0.0.1:4870`. */
  readonly url: string;
  /** Port that it listens on. */
  readonly port: number;
  /** Stops accepting requests, waits for running responses and jobs, and aborts those that take too long. */
  close(): Promise<void>;
}

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
  checkOptions("createServer", options, SERVER_RULES);
  return startServer(omitUndefined(options));
}

async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host = "127.0.0.1", port = 4870, shutdownTimeout = DEFAULT_SHUTDOWN_TIMEOUT } = options;
  const store = options.store ?? sqliteStore(":memory:");
  const closeStore = async () => (options.store === undefined ? store.close() : undefined);
  try {
    const isOpen = !isLoopback(inUrl(host));
    if (isOpen) await refuseWithoutTokens(store, host);
    // A wrong id is refused at once.
    if (typeof options.model === "string") await resolveModel(options.model);
    const { histories, ...others } = options;
    const ofThisMachine = isOpen ? {} : omitUndefined({ histories });
    const services = createServices({ clock: SYSTEM_CLOCK, logger: QUIET, ...others, ...ofThisMachine, store });
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
  const { isTokenRequired = false, ...others } = options;
  const app = createApp(services, {
    localUser: "local",
    responseTimeout: DEFAULT_RESPONSE_TIMEOUT,
    onError: () => undefined,
    // If a token is required, DNS rebinding gains nothing, so any host name is fine.
    allowedHosts: isOpen ? "any" : [],
    ...others,
    isTokenRequired: isTokenRequired || isOpen,
  });
  const answer = async (request: Request, bindings: HttpBindings) =>
    writeDirectly(await app.fetch(request, bindings), bindings.outgoing);
  return getRequestListener((request, bindings) => answer(request, bindings as HttpBindings), {
    // A library does not change the globals of the process.
    overrideGlobalObjects: false,
    // Reached only by requests that cannot be parsed; the app answers all others.
    errorHandler: () => problem(400, "bad-request", "Could not parse the request. Check its URL and headers."),
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
