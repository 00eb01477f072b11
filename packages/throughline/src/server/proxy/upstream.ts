import type { Context } from "hono";
import type { ServerEnv } from "../server-env.ts";
import { checkUpstream, type UpstreamModel } from "./upstream-model.ts";
import type { Wire } from "./wire/wire.ts";

/** Tokens of ours begin so: they open this server and nothing else. */
const OWN_TOKEN = /^(?:Bearer\s+)?tl_/i;
const KEYS = ["authorization", "x-api-key"] as const;
/** What a provider wants to know of a request. Nothing else of who asks goes along, no cookie and no address. */
const PASSED_ON = /^(accept|anthropic-(version|beta)|content-encoding|openai-(beta|organization|project)|x-title)$/;

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

  /** A text without the keys that a request came or went with. */
  withoutKeys(text: string, { req }: Context<ServerEnv>): string {
    const sent = KEYS.map((name) => req.header(name)?.replace(/^Bearer\s+/i, ""));
    return [this.#key, ...sent].reduce<string>((told, key) => (key ? told.replaceAll(key, "[key]") : told), text);
  }

  #headers(from: Headers, hasBody: boolean): Record<string, string> {
    return {
      ...VERSION[this.family],
      ...Object.fromEntries([...from].filter(([name]) => PASSED_ON.test(name))),
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
      KEYS.flatMap((name) => {
        const key = from.get(name);
        return key === null || OWN_TOKEN.test(key) ? [] : [[name, key]];
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
  const base = url.replace(/(?<!\/)\/+$/, "");
  return family === "anthropic" && !base.endsWith("/v1") ? `${base}/v1` : base;
}
