import { AT_LEAST_ZERO, CHECKED_LATER, FUNCTION, OBJECT, type OptionRules } from "../errors/check-options.ts";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { isSecretName } from "./redact-secrets.ts";

/** Address and retry settings of a model server. */
export interface ModelServer {
  readonly url: string;
  /** Name for error messages, without the full URL. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Texts that must not appear in error messages. */
  readonly secrets: readonly string[];
  /** Default: the runtime's `fetch`. */
  readonly fetch: FetchLike | undefined;
  readonly maxRetries: number;
  readonly retryDelay: number;
}

export interface ServerOptions {
  /** Base URL, such as `https://api.openai.com/v1` or `http://127.0.0.1:11434/v1`. A query string is kept. */
  readonly baseUrl: string;
  /** API key, sent as a bearer token. */
  readonly apiKey?: string;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the runtime's `fetch`. */
  readonly fetch?: FetchLike;
  /** Retries after a temporary failure: overload or no connection. Default: 2. */
  readonly maxRetries?: number;
  /**
   * Delay before the first retry in milliseconds, unless the server specifies one; roughly doubles with each retry.
   * Default: 1,000.
   */
  readonly retryDelay?: number;
}

/** Checks of the options. `readServer` checks those that may hold a secret. */
export const SERVER_RULES: OptionRules<ServerOptions> = {
  baseUrl: CHECKED_LATER,
  apiKey: CHECKED_LATER,
  headers: OBJECT,
  fetch: FUNCTION,
  maxRetries: AT_LEAST_ZERO,
  retryDelay: AT_LEAST_ZERO,
};

const ADDRESS = /^(https?:\/\/([^\s/?#@]+)(?:\/[^\s?#]*)?)(\?[^\s#]*)?$/i;

/** @throws InvalidOptionError if the options are not usable. Possible secrets are not repeated. */
export function readServer(path: string, options: ServerOptions): ModelServer {
  const { baseUrl, apiKey, headers = {}, fetch, maxRetries = 2, retryDelay = 1_000 } = options;
  const [, base, host, query = ""] = ADDRESS.exec(baseUrl) ?? [];
  if (base === undefined || host === undefined) {
    const given = typeof baseUrl === "string" ? "not repeated here, as it may contain a key" : `${baseUrl}`;
    throw new InvalidOptionError(
      "baseUrl",
      given,
      "an http or https URL such as https://api.openai.com/v1, without a user, password or fragment",
    );
  }
  if (apiKey !== undefined && !(typeof apiKey === "string" && /^[\x21-\x7e]+$/.test(apiKey))) {
    throw new InvalidOptionError("apiKey", "(hidden)", "visible ASCII characters without spaces");
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value)) {
      throw new InvalidOptionError("headers", "(hidden)", "valid header names and values");
    }
  }
  if (!(maxRetries >= 0)) throw new InvalidOptionError("maxRetries", maxRetries, "a number, 0 or more");
  if (!(retryDelay >= 0)) throw new InvalidOptionError("retryDelay", retryDelay, "a number of milliseconds, 0 or more");
  return {
    url: `${base.replace(/(?<!\/)\/+$/, "")}/${path}${query}`,
    name: `The model at ${host}`,
    headers: {
      "content-type": "application/json",
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...lowerCase(headers),
    },
    secrets: secretsIn(apiKey, headers, query),
    fetch,
    maxRetries,
    retryDelay,
  };
}

/** Two spellings of a header name would be sent as one header with both values. */
function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function secretsIn(apiKey = "", headers: Readonly<Record<string, string>>, query: string): string[] {
  const carried = Object.entries(headers).flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
  // A key may be sent as `Bearer …` and echoed without that word.
  const bare = carried.map((value) => value.replace(/^\S+\s+/, ""));
  const queryText = query
    .slice(1)
    .split("&")
    .map((pair) => pair.slice(pair.indexOf("=") + 1));
  return [apiKey, ...carried, ...bare, query.slice(1), ...queryText];
}

/** The subset of `fetch` that is used. The `fetch` of Node, browsers and workers matches it. */
export type FetchLike = (url: string, request: FetchRequest) => Promise<FetchReply>;

export interface FetchRequest {
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  /** Missing for `GET`. */
  readonly body?: string;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

export interface FetchReply {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): ReplyReader } | null;
}

interface ReplyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** The runtime's `fetch`; `undefined` if there is none. */
export function runtimeFetch(): FetchLike | undefined {
  const runtime = globalThis as { readonly fetch?: FetchLike };
  // Browsers require the global object as `this`.
  return runtime.fetch && ((url, request) => (runtime.fetch as FetchLike)(url, request));
}

/** Reads the text of a response up to a number of bytes, and if that was all of it. Stops reading beyond. */
export async function readText(
  { body }: FetchReply,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  if (body === null) return { text: "", isWhole: true };
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (let left = maxBytes; ; ) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return { text: text + decoder.decode(), isWhole: true };
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.length;
    if (left < 0) break;
  }
  // Does not wait for the cancellation.
  reader.cancel().catch(() => undefined);
  return { text, isWhole: false };
}
