import { AT_LEAST_ZERO, FUNCTION, isRecord, type OptionRules, TEXT } from "throughline/internal/util";
import { ProblemError } from "./problem-error.ts";

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

/** Sends one request and returns the response, whatever its status. */
export function send(options: ClientOptions, request: Request): Promise<Response> {
  const { url = DEFAULT_URL, token, project, fetch: ask = fetch } = options;
  const { method, path, query = {}, body, headers, signal } = request;
  const address = new URL(path.map(encodeURIComponent).join("/"), url.endsWith("/") ? url : `${url}/`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) address.searchParams.set(name, String(value));
  }
  return ask(address, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(project !== undefined && { "x-throughline-project": project }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  });
}

/** @throws ProblemError if the response is an error */
export async function read(answer: Response): Promise<unknown> {
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
