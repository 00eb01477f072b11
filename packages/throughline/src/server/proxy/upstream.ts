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
    return fetch(`${this.#base}/${path}${new URL(req.url).search}`, {
      method: req.method,
      headers: this.#headers(req.raw.headers, body !== undefined),
      body: body ?? null,
      redirect: "manual",
      signal: req.raw.signal,
    });
  }

  /** The same without anything of whoever asks, but for their key. */
  look(path: string, { req }: Context<ServerEnv>, signal: AbortSignal): Promise<Response> {
    return fetch(`${this.#base}/${path}`, {
      headers: { ...this.#keys(req.raw.headers), ...VERSION[this.family] },
      redirect: "manual",
      signal,
    });
  }

  /** The same for requests that go out with the same key: what one key may see is not told to who has another. */
  keyDigest({ req }: Context<ServerEnv>): string {
    return sha256(JSON.stringify(this.#keys(req.raw.headers)));
  }

  /** A text without the keys that a request came or went with. */
  withoutKeys(text: string, { req }: Context<ServerEnv>): string {
    const sent = KEY_HEADERS.map((name) => req.header(name)?.replace(/^Bearer\s+/i, ""));
    return [this.#key, ...sent].reduce<string>((told, key) => (key ? told.replaceAll(key, "[key]") : told), text);
  }

  #headers(from: Headers, hasBody: boolean): Record<string, string> {
    return {
      ...VERSION[this.family],
      ...forwardedHeaders(from),
      // What is packed would be unpacked on the way, and not come as it is.
      "accept-encoding": "identity",
      ...(hasBody && { "content-type": "application/json" }),
      ...this.#keys(from),
    };
  }

  #keys(from: Headers): Record<string, string> {
    if (this.#key !== undefined) {
      return this.family === "openai" ? { authorization: `Bearer ${this.#key}` } : { "x-api-key": this.#key };
    }
    return Object.fromEntries(
      KEY_HEADERS.flatMap((name) => {
        const key = from.get(name);
        return key === null || isOwnToken(key) ? [] : [[name, key]];
      }),
    );
  }
}

/** Anthropic wants to be told; who asks may say another one. */
const VERSION: Readonly<Record<Wire["family"], Readonly<Record<string, string>>>> = {
  openai: {},
  anthropic: { "anthropic-version": "2023-06-01" },
};

/** The beginning of the names of the environment's variables. */
export function settingOf(family: Wire["family"]): string {
  return family === "openai" ? "THROUGHLINE_MODEL" : "THROUGHLINE_ANTHROPIC";
}

/** Anthropic's clients call `https://api.anthropic.com` what others would write with `/v1` behind it. */
function baseOf(family: Wire["family"], url: string): string {
  const base = url.replace(/\/+$/, "");
  return family === "anthropic" && !base.endsWith("/v1") ? `${base}/v1` : base;
}
