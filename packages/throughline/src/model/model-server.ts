import { InvalidOptionError } from "../errors/invalid-option-error.ts";
import type { FetchLike } from "./fetch-like.ts";
import { isSecretName } from "./hide-secrets.ts";

/** Where a model is asked, and how often. */
export interface ModelServer {
  readonly url: string;
  /** What it is called in messages: they are read by more people than a URL is meant for. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What no message may hold. */
  readonly secrets: readonly string[];
  /** The runtime's own where none is given. */
  readonly fetch: FetchLike | undefined;
  readonly maxRetries: number;
  readonly retryDelay: number;
}

export interface ServerOptions {
  /** Such as `https://api.openai.com/v1` or `http://127.0.0.1:11434/v1`; what stands behind a `?` is kept. */
  readonly baseUrl: string;
  /** Sent as a bearer token. */
  readonly apiKey?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: FetchLike;
  /** How often it is asked again where its failure may pass: it was overloaded, or could not be reached. */
  readonly maxRetries?: number;
  /** Milliseconds before it is asked again for the first time, unless it says how long; about twice as long each time. */
  readonly retryDelay?: number;
}

const ADDRESS = /^(https?:\/\/([^\s/?#@]+)(?:\/[^\s?#]*)?)(\?[^\s#]*)?$/i;

/** @throws InvalidOptionError where nothing could be asked there. What may be a secret is not repeated. */
export function readServer(path: string, options: ServerOptions): ModelServer {
  const { baseUrl, apiKey, headers = {}, fetch, maxRetries = 2, retryDelay = 1_000 } = options;
  const [, base, host, query = ""] = ADDRESS.exec(baseUrl) ?? [];
  if (base === undefined || host === undefined) {
    throw new InvalidOptionError(
      "baseUrl",
      "not usable",
      "a URL such as https://api.openai.com/v1, without a password",
    );
  }
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new InvalidOptionError("apiKey", "not usable", "visible ASCII characters without spaces");
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value)) {
      throw new InvalidOptionError("headers", "not usable", "names and values that a header can have");
    }
  }
  if (!(maxRetries >= 0)) throw new InvalidOptionError("maxRetries", maxRetries, "a number, or 0");
  if (!(retryDelay >= 0)) throw new InvalidOptionError("retryDelay", retryDelay, "milliseconds, or 0");
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

/** Two names of one header would be sent as one with both values. */
function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function secretsIn(apiKey = "", headers: Readonly<Record<string, string>>, query: string): string[] {
  const carried = Object.entries(headers).flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
  // A key may be sent as `Bearer …`, and repeated without that word.
  const bare = carried.map((value) => value.replace(/^\S+\s+/, ""));
  const asked = query
    .slice(1)
    .split("&")
    .map((pair) => pair.slice(pair.indexOf("=") + 1));
  return [apiKey, ...carried, ...bare, query.slice(1), ...asked];
}
