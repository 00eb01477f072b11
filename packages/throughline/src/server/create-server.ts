import { once } from "node:events";
import { createServer as createHttpServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { ServerError } from "../errors/server-error.ts";
import { createApp } from "./create-app.ts";
import { inUrl, isLoopback } from "./loopback.ts";
import { problem } from "./problem.ts";
import type { UpstreamModel } from "./upstream-model.ts";

export interface ServerOptions {
  /** A loopback address; `127.0.0.1` if not given. */
  readonly host?: string;
  /** 4870 if not given; 0 takes any free one. */
  readonly port?: number;
  /** The folder of the built Studio; the one in the package if not given. */
  readonly studio?: string;
  /** What `/v1` forwards to. */
  readonly model?: UpstreamModel;
  /** How long `close` waits for answers that are under way, in milliseconds; 5,000 if not given. */
  readonly patience?: number;
  /** Told of what went wrong inside. */
  readonly onError?: (error: unknown) => void;
}

export interface RunningServer {
  /** Where the Studio is, such as `http://127.0.0.1:4870`. */
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, lets answers that are under way come to their end, and cuts off what takes too long. */
  close(): Promise<void>;
}

/**
 * Starts a server on this machine: the Studio, and the model that was given.
 *
 * @throws ServerError where it cannot start, and says what to do.
 *
 * @example
 * const server = await createServer({ port: 0 });
 * console.log(server.url);
 * await server.close();
 */
export async function createServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { host = "127.0.0.1", port = 4870, patience = 5_000 } = options;
  if (!isLoopback(inUrl(host))) {
    throw new ServerError("not-loopback", `${host} can be reached by others, and this server has no lock yet.`);
  }
  const server = createHttpServer(listener(options));
  await listen(server, host, port);
  const bound = (server.address() as AddressInfo).port;
  return { url: `http://${inUrl(host)}:${bound}`, port: bound, close: () => close(server, patience) };
}

function listener({ studio = packagedStudio(), model, onError = () => undefined }: ServerOptions) {
  const app = createApp({ studio, model, onError });
  return getRequestListener((request, bindings) => app.fetch(request, bindings as HttpBindings), {
    // A library leaves the globals of the process alone.
    overrideGlobalObjects: false,
    // What comes here is no request that could be read; the app answers everything else.
    errorHandler: () => problem(400, "bad-request", "The request cannot be read."),
  });
}

/** Built, all modules are in one folder, and the Studio beside them. */
function packagedStudio(): string {
  return fileURLToPath(new URL("studio", import.meta.url));
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

async function close(server: Server, patience: number): Promise<void> {
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
