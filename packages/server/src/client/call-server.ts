import {
  AT_LEAST_ZERO,
  checkOptions,
  FUNCTION,
  isRecord,
  OBJECT,
  type OptionRules,
  TEXT,
} from "throughline/internal/util";
import { toSnakeCase } from "../api/camel-case.ts";

/** Options of `createClient`. */
export interface ClientOptions {
  /** Base URL of the server (default `http://127.0.0.1:4870`). */
  readonly url?: string;
  /** Token from `throughline token create`. Not required on the server's own machine. */
  readonly token?: string;
  /** Project to work in. */
  readonly project?: string;
  /** Sends the requests (default: the global `fetch`). */
  readonly fetch?: typeof fetch;
  /** Retries after a network error or a temporary server error (default 2). */
  readonly retries?: number;
}

/** Checks of the options. */
export const CLIENT_RULES: OptionRules<ClientOptions> = {
  url: [(value) => typeof value === "string" && URL.canParse(value), `a URL such as http://127.0.0.1:4870`],
  token: TEXT,
  project: TEXT,
  fetch: FUNCTION,
  retries: AT_LEAST_ZERO,
};

export interface Request {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** True for requests that change nothing and can be repeated. */
  readonly isRead?: true;
  /** Path segments; they are escaped. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export type Call = <T>(request: Request) => Promise<T>;

const DEFAULT_URL = "http://127.0.0.1:4870";
const AGAIN = new Set([429, 502, 503]);
const FIRST_PAUSE = 200;

/** Sends requests with retries. Every write has an idempotency key, so that retries are safe. */
export function createCall(options: ClientOptions): Call {
  const { retries = 2 } = options;
  return async <T>(request: Request): Promise<T> => {
    const isRead = request.method === "GET" || request.isRead === true;
    const key = isRead ? {} : { "idempotency-key": crypto.randomUUID() };
    const keyed = { ...request, headers: { ...key, ...request.headers } };
    for (let tries = 0; ; tries += 1) {
      const answer = await send(options, keyed).catch((error: unknown) => error);
      const isLast = tries >= retries || request.signal?.aborted === true;
      if (answer instanceof Response && (isLast || !AGAIN.has(answer.status))) return (await read(answer)) as T;
      if (!(answer instanceof Response) && isLast) throw answer;
      await pause(FIRST_PAUSE * 2 ** tries, answer instanceof Response ? answer : undefined);
    }
  };
}

/** Sends one request and returns the response, also if its status is an error. */
function send(options: ClientOptions, request: Request): Promise<Response> {
  const { url = DEFAULT_URL, token, project, fetch: ask = fetch } = options;
  const { method, path, query = {}, body, headers, signal } = request;
  const address = new URL(path.map(encodeURIComponent).join("/"), url.endsWith("/") ? url : `${url}/`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) address.searchParams.set(toSnakeCase(name), String(value));
  }
  return ask(address, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(project !== undefined && { "x-throughline-project": project }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(snakeCased(body)),
    signal: signal ?? null,
  });
}

/** Fields whose content is sent unchanged: messages, imports, and keys of the caller. */
const VERBATIM = new Set(["messages", "data", "template"]);

function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (!isRecord(value) || value instanceof Date) return value;
  const fields = Object.entries(value).map(([name, field]) => {
    return [toSnakeCase(name), VERBATIM.has(name) ? field : snakeCased(field)];
  });
  return Object.fromEntries(fields);
}

/** @throws ProblemError if the response is an error */
async function read(answer: Response): Promise<unknown> {
  if (answer.status === 204) return undefined;
  const text = await answer.text();
  const value = parse(text);
  if (answer.ok) return value;
  throw new ProblemError(answer.status, isRecord(value) ? value : {});
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function pause(milliseconds: number, answer: Response | undefined): Promise<void> {
  await answer?.body?.cancel();
  const retryAfter = Number(answer?.headers.get("retry-after") ?? 0) * 1_000;
  await new Promise((resolve) => {
    setTimeout(resolve, Math.max(retryAfter, milliseconds));
  });
}

/**
 * An error response of the server.
 *
 * @example
 * await createClient()
 *   .memories.get("mem_1")
 *   .catch((error) => {
 *     if (!(error instanceof ProblemError) || error.code !== "not-found") throw error;
 *   });
 */
export class ProblemError extends Error {
  readonly status: number;
  /** Stable error code, such as `not-found` or `session-busy`. */
  readonly code: string;
  /** Invalid fields of the request, if there are any. */
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];

  constructor(status: number, problem: Partial<Pick<ProblemError, "code" | "errors">> & { readonly detail?: string }) {
    super(problem.detail ?? `The request failed with status ${status}. Check the URL and the log of the server.`);
    this.name = "ProblemError";
    this.status = status;
    this.code = problem.code ?? "unknown";
    this.errors = problem.errors ?? [];
  }
}

/** An event of the server. */
export interface ServerEvent {
  /** Id for resuming. */
  readonly id: string;
  /** Type, such as `session:appended`. */
  readonly type: string;
  readonly session_id?: string;
  readonly project_id?: string;
  /** Time of the event, in ISO 8601. */
  readonly at: string;
  /** Details, by type. */
  readonly data: unknown;
}

/** Options of event streams. */
export interface ListenOptions {
  /** Resumes after this event; `"0"` replays all retained events. Default: new events only. */
  readonly after?: string;
  /** Ends the stream. */
  readonly signal?: AbortSignal;
}

const PAUSE = 1_000;

/** Yields events as they arrive. If the connection breaks, it reconnects and resumes without a gap. */
export async function* readEvents(
  options: ClientOptions,
  path: readonly string[],
  listen: ListenOptions = {},
): AsyncGenerator<ServerEvent> {
  checkOptions("client.events", listen, { after: TEXT, signal: OBJECT });
  const { after, signal } = listen;
  let last = after;
  const isOver = (): boolean => signal?.aborted === true;
  while (!isOver()) {
    try {
      for await (const event of listenOnce(options, path, last, signal)) {
        last = event.id;
        yield event;
      }
    } catch (error) {
      if (isOver()) return;
      if (error instanceof ProblemError && error.status < 500) throw error;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, PAUSE);
    });
  }
}

async function* listenOnce(
  options: ClientOptions,
  path: readonly string[],
  last: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerEvent> {
  const headers: Record<string, string> = {
    accept: "text/event-stream",
    ...(last !== undefined && { "last-event-id": last }),
  };
  const answer = await send(options, { method: "GET", path, headers, ...(signal && { signal }) });
  if (!answer.ok || answer.body === null) {
    await read(answer);
    return;
  }
  let text = "";
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + piece).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = readBlock(block);
      if (event !== undefined) yield event;
    }
  }
}

/** Parses an event. Comments are keep-alives and have no content. */
function readBlock(block: string): ServerEvent | undefined {
  const fields = new Map(block.split("\n").map((line) => splitOnce(line)));
  const data = fields.get("data");
  return data === undefined ? undefined : { id: fields.get("id") ?? "", ...JSON.parse(data) };
}

function splitOnce(line: string): readonly [string, string] {
  const place = line.indexOf(": ");
  return place < 0 ? [line, ""] : [line.slice(0, place), line.slice(place + 2)];
}
