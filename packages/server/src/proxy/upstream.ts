import type { Context } from "hono";
import type { ServerEnv } from "../server-env.ts";
import { sha256 } from "./digest-messages.ts";
import { forwardedHeaders, isOwnToken, KEY_HEADERS } from "./forwarded-headers.ts";
import { checkUpstream, type UpstreamModel } from "./upstream-model.ts";
import type { Wire } from "./wire/wire.ts";

/** A model's server, and how it is asked. */
export class Upstream {
  readonly family: Wire["family"];
  readonly model: string | undefined;
  /** What to set where it is asked in vain. */
  readonly setting: string;
  readonly #base: string;
  readonly #key: string | undefined;

  /** @throws InvalidOptionError where nothing could be asked at that address. */
  constructor(family: Wire["family"], given: UpstreamModel) {
    checkUpstream(given);
    this.family = family;
    this.model = given.model;
    this.setting = settingOf(family);
    this.#base = baseOf(family, given.url);
    this.#key = given.key;
  }

  /** Whether requests go out with the server's own key. */
  get hasKey(): boolean {
    return this.#key !== undefined;
  }

  /** Asks for as long as whoever asked us is there. */
  send(path: string, { req }: Context<ServerEnv>, body?: ArrayBuffer | string): Promise<Response> {
    return fetch(`${this.#base}/${path}${this.#query(req.url)}`, {
      method: req.method,
      headers: this.#headers(req.raw.headers, body !== undefined),
      body: body ?? null,
      redirect: "manual",
      signal: req.raw.signal,
    });
  }

  /** The same without anything of whoever asks, but for their key. */
  look(path: string, { req }: Context<ServerEnv>, signal: AbortSignal): Promise<Response> {
    const key = this.#key === undefined ? queryKeys(req.url).find((one) => !isOwnToken(one)) : undefined;
    const query = key === undefined ? "" : `${path.includes("?") ? "&" : "?"}key=${encodeURIComponent(key)}`;
    return fetch(`${this.#base}/${path}${query}`, {
      headers: { ...this.#keys(req.raw.headers), ...VERSION[this.family] },
      redirect: "manual",
      signal,
    });
  }

  /** The same for requests that go out with the same key: what one key may see is not told to who has another. */
  keyDigest({ req }: Context<ServerEnv>): string {
    const inQuery = this.#key === undefined ? queryKeys(req.url) : [];
    return sha256(JSON.stringify([this.#keys(req.raw.headers), inQuery]));
  }

  /** A text without the keys that a request came or went with. */
  withoutKeys(text: string, { req }: Context<ServerEnv>): string {
    const sent = [
      ...KEY_HEADERS.map((name) => req.header(name)?.replace(/^Bearer\s+/i, "")),
      ...queryKeys(req.url).flatMap((key) => [key, encodeURIComponent(key)]),
    ];
    return [this.#key, ...sent].reduce<string>((told, key) => (key ? told.replaceAll(key, "[key]") : told), text);
  }

  /** As it was sent, but for tokens of ours, and for a key where the server has its own. */
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
      // What is packed would be unpacked on the way, and not come as it is.
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
  /** As it stands in the query. */
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

/** The header of a provider's key, and what stands in front of the key. */
const KEY_OF: Readonly<Record<Family, readonly [name: string, scheme: string]>> = {
  openai: ["authorization", "Bearer "],
  anthropic: ["x-api-key", ""],
  gemini: ["x-goog-api-key", ""],
};

/** Anthropic wants to be told; who asks may say another one. */
const VERSION: Readonly<Record<Family, Readonly<Record<string, string>>>> = {
  openai: {},
  anthropic: { "anthropic-version": "2023-06-01" },
  gemini: {},
};

const SETTINGS: Readonly<Record<Family, string>> = {
  openai: "THROUGHLINE_MODEL",
  anthropic: "THROUGHLINE_ANTHROPIC",
  gemini: "THROUGHLINE_GEMINI",
};

/** The beginning of the names of the environment's variables. */
export function settingOf(family: Family): string {
  return SETTINGS[family];
}

/** The version that clients of these providers write behind the base URL themselves. */
const VERSION_PATHS: Readonly<Record<Family, string>> = { openai: "", anthropic: "/v1", gemini: "/v1beta" };

/** Anthropic's clients call `https://api.anthropic.com` what others would write with `/v1` behind it; Google's likewise. */
function baseOf(family: Family, url: string): string {
  const base = url.replace(/(?<!\/)\/+$/, "");
  const version = VERSION_PATHS[family];
  return base.endsWith(version) ? base : `${base}${version}`;
}
