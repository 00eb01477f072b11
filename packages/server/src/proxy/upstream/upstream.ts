import type { Context } from "hono";
import { InvalidOptionError } from "throughline";
import type { ServerEnv } from "../../server-env.ts";
import { sha256 } from "../sessions/digest-messages.ts";
import type { Wire } from "../wire/wire.ts";

/** Header and scheme of each provider's key. */
const KEY_OF: Readonly<Record<Family, readonly [name: string, scheme: string]>> = {
  openai: ["authorization", "Bearer "],
  anthropic: ["x-api-key", ""],
  gemini: ["x-goog-api-key", ""],
};

/** Anthropic requires a version header; the client may send its own. */
const VERSION: Readonly<Record<Family, Readonly<Record<string, string>>>> = {
  openai: {},
  anthropic: { "anthropic-version": "2023-06-01" },
  gemini: {},
};

/** Headers that contain a provider key. `Upstream` decides which one is sent. */
const KEY_HEADERS = ["authorization", "x-api-key", "api-key", "x-goog-api-key"] as const;

/** Sends requests to an upstream model API. */
export class Upstream {
  readonly family: Wire["family"];
  readonly model: string | undefined;
  /** Prefix of the settings to name in errors. */
  readonly setting: string;
  readonly #base: string;
  readonly #key: string | undefined;

  /** @throws InvalidOptionError if the URL or the key is invalid */
  constructor(family: Wire["family"], given: UpstreamModel) {
    checkUpstream(given);
    this.family = family;
    this.model = given.model;
    this.setting = settingOf(family);
    this.#base = baseOf(family, given.url);
    this.#key = given.key;
  }

  /** True if requests use the server's own key. */
  get hasKey(): boolean {
    return this.#key !== undefined;
  }

  /** Sends a request, aborted if the client disconnects. */
  send(path: string, { req }: Context<ServerEnv>, body?: ArrayBuffer | string): Promise<Response> {
    return fetch(`${this.#base}/${path}${this.#query(req.url)}`, {
      method: req.method,
      headers: this.#headers(req.raw.headers, body !== undefined),
      body: body ?? null,
      redirect: "manual",
      signal: req.raw.signal,
    });
  }

  /** Sends a request with nothing of the client except its key. */
  look(path: string, { req }: Context<ServerEnv>, signal: AbortSignal): Promise<Response> {
    const key = this.#key === undefined ? queryKeys(req.url).find((one) => !isOwnToken(one)) : undefined;
    const query = key === undefined ? "" : `${path.includes("?") ? "&" : "?"}key=${encodeURIComponent(key)}`;
    return fetch(`${this.#base}/${path}${query}`, {
      headers: { ...this.#keys(req.raw.headers), ...VERSION[this.family] },
      redirect: "manual",
      signal,
    });
  }

  /** A digest of the key in use, so that one key's data is not shown to holders of another. */
  keyDigest({ req }: Context<ServerEnv>): string {
    const inQuery = this.#key === undefined ? queryKeys(req.url) : [];
    return sha256(JSON.stringify([this.#keys(req.raw.headers), inQuery]));
  }

  /** Removes the keys of a request from a text. */
  withoutKeys(text: string, { req }: Context<ServerEnv>): string {
    const sent = [
      ...KEY_HEADERS.map((name) => req.header(name)?.replace(/^Bearer\s+/i, "")),
      ...queryKeys(req.url).flatMap((key) => [key, encodeURIComponent(key)]),
    ];
    return [this.#key, ...sent].reduce<string>(
      (cleaned, key) => (key ? cleaned.replaceAll(key, "[key]") : cleaned),
      text,
    );
  }

  /** The original query without Throughline tokens, and without a key if the server has its own. */
  #query(url: string): string {
    const kept = pairsOf(url).filter(
      ({ name, value }) => !isOwnToken(value) && (name !== "key" || this.#key === undefined),
    );
    return kept.length === 0 ? "" : `?${kept.map(({ written }) => written).join("&")}`;
  }

  #headers(from: Headers, hasBody: boolean): Record<string, string> {
    return {
      ...VERSION[this.family],
      ...forwardedHeaders(from, this.hasKey),
      // `fetch` would decompress the response, and it must be forwarded unchanged.
      "accept-encoding": "identity",
      ...(hasBody && { "content-type": "application/json" }),
      ...this.#keys(from),
    };
  }

  #keys(from: Headers): Record<string, string> {
    if (this.#key !== undefined) {
      const [name, scheme] = KEY_OF[this.family];
      return { [name]: `${scheme}${this.#key}` };
    }
    return Object.fromEntries(
      KEY_HEADERS.flatMap((name) => {
        const key = from.get(name);
        return key === null || isOwnToken(key) ? [] : [[name, key]];
      }),
    );
  }
}

interface Pair {
  readonly name: string;
  readonly value: string;
  /** The key as written in the query. */
  readonly written: string;
}

function pairsOf(url: string): readonly Pair[] {
  const written = new URL(url).search.slice(1).split("&");
  return written.flatMap((one) =>
    [...new URLSearchParams(one)].map(([name, value]) => ({ name, value, written: one })),
  );
}

/** Google's clients may send their key as `?key=`. */
function queryKeys(url: string): readonly string[] {
  return pairsOf(url).flatMap(({ name, value }) => (name === "key" ? [value] : []));
}

type Family = Wire["family"];

const SETTINGS: Readonly<Record<Family, string>> = {
  openai: "THROUGHLINE_MODEL",
  anthropic: "THROUGHLINE_ANTHROPIC",
  gemini: "THROUGHLINE_GEMINI",
};

/** Prefix of the environment variables of an upstream. */
export function settingOf(family: Family): string {
  return SETTINGS[family];
}

/** The version path that clients of these providers append to the base URL. */
const VERSION_PATHS: Readonly<Record<Family, string>> = { openai: "", anthropic: "/v1", gemini: "/v1beta" };

/** Anthropic's and Google's clients expect a base URL without the version path; it is added here if missing. */
function baseOf(family: Family, url: string): string {
  const base = url.replace(/(?<!\/)\/+$/, "");
  const version = VERSION_PATHS[family];
  return base.endsWith(version) ? base : `${base}${version}`;
}

/** A Throughline token, alone or after `Bearer`. It is valid only for this server. */
const OWN_TOKEN = /(?:^|\s)tl_/i;

/** Headers of a single connection, or headers that are set again for the upstream connection. */
const OF_THE_CONNECTION =
  /^(connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|host|content-(length|type)|accept-encoding|proxy-.*)$/;
/** Headers in which a browser names the page and the login. */
const OF_THE_BROWSER = /^(cookie2?|origin|referer|sec-.*|dnt)$/;
/** Headers in which proxies and access gateways name the user and their origin. */
const OF_GATEWAYS: readonly RegExp[] = [
  /^(forwarded|via|(x-)?(real|client|cluster-client|true-client)-ip|x-(forwarded|original|envoy|vercel|azure|arr|nf|appengine)-.*)$/,
  /^((x-)?remote-.*|x-(auth-request|authentik|webauth|pomerium|vouch|amzn|ms-client-principal|ms-token|goog-iap|goog-authenticated)-.*)$/,
  // Cloudflare's AI gateway is configured with `cf-aig-…` headers.
  /^(cf-(?!aig-).*|(fly|fastly|tailscale|x-ssl|ssl-client|oidc)-.*|x-ms-client-principal)$/,
];
/** Headers in which other gateways name the user or pass a credential. */
const OF_THE_USER = /(^|-)(token|jwt|userinfo|consumer|credential|user|email|secret)(-|$)/;
/** Headers of clients and AI gateways that only look like those of a user. */
const OF_CLIENTS = /^((x-)?user-agent|x-goog-user-project|(openai|anthropic|x-stainless|x-claude|cf-aig|helicone)-.*)$/;
/** Headers named like a key. They are sent only if the client's own key is used. */
const OF_KEYS = /-(key|auth|authorization)$/;
const NO_SECRET = "idempotency-key";
const OWN = /^x-throughline-/;

/**
 * The client headers that are forwarded to the provider.
 *
 * This is a deny list. Agents and gateways use headers that this server cannot know in advance (agent name and version,
 * session for routing and caching, betas, tenants, tracing), and to the provider a client behind the proxy must look
 * like one without it. Denied are all headers about the way to this server: the connection, cookies, the browser's
 * page, user headers of gateways, and Throughline's own headers. Keys are denied too, and so is any header whose value
 * is a Throughline token. If the server has its own key, every header that is named like a key is denied as well.
 */
function forwardedHeaders(from: Headers, hasServerKey: boolean): Record<string, string> {
  const named = new Set((from.get("connection") ?? "").toLowerCase().split(/[\s,]+/));
  const isDenied = (name: string) =>
    named.has(name) ||
    (KEY_HEADERS as readonly string[]).includes(name) ||
    (OF_THE_USER.test(name) && !OF_CLIENTS.test(name)) ||
    (hasServerKey && OF_KEYS.test(name) && name !== NO_SECRET) ||
    [OF_THE_CONNECTION, OF_THE_BROWSER, OWN, ...OF_GATEWAYS].some((denied) => denied.test(name));
  return Object.fromEntries([...from].filter(([name, value]) => !isDenied(name) && !isOwnToken(value)));
}

/** True if a header value, or a key in a query, is a Throughline token. */
function isOwnToken(value: string): boolean {
  return OWN_TOKEN.test(value);
}

/** An upstream model API. */
export interface UpstreamModel {
  /** Base URL, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  /** API key for every request, never visible to clients or in logs. Without it, the client's key is forwarded. */
  readonly key?: string;
  /** The only model to offer (default: all models of the upstream). */
  readonly model?: string;
}

/** The upstreams of the proxy, by the form of their API. */
export interface Upstreams {
  /** OpenAI, or a server with a compatible API. */
  readonly openai?: UpstreamModel;
  /** Anthropic, such as `https://api.anthropic.com`, or a compatible server. */
  readonly anthropic?: UpstreamModel;
  /** Gemini, such as `https://generativelanguage.googleapis.com`, or a compatible server. */
  readonly gemini?: UpstreamModel;
}

/** @throws InvalidOptionError if the URL or the key is invalid */
function checkUpstream({ url, key }: UpstreamModel): void {
  const { protocol, username, password, search, hash } = URL.canParse(url) ? new URL(url) : new URL("none:");
  const isPlain = username === "" && password === "" && search === "" && hash === "";
  if (!/^https?:$/.test(protocol) || !isPlain) {
    // The URL is not repeated because it may contain a password.
    throw new InvalidOptionError("upstream URL", "(hidden)", "a base URL such as http://127.0.0.1:11434/v1");
  }
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new InvalidOptionError("upstream key", "(hidden)", "visible ASCII characters without spaces");
  }
}
