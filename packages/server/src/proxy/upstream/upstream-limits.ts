import type { Context } from "hono";
import { getModelLimits } from "throughline";
import {
  arrayField,
  isRecord,
  type JsonRecord,
  Lru,
  numberField,
  recordField,
  stringField,
  tryParseJson,
} from "throughline/internal/util";
import type { ServerEnv } from "../../server-env.ts";
import type { Upstream } from "./upstream.ts";

/** Milliseconds that model lists and learned limits stay valid; also the timeout for fetching a list. */
const HOLDS = 10 * 60_000;
const TIMEOUT_MS = 2_000;
/** Field names for the context window in model lists of different services. */
const NAMES = [
  "context_length",
  "max_model_len",
  "context_window",
  "max_context_length",
  "max_input_tokens",
  "inputTokenLimit",
];
/** Anthropic's larger window, enabled by a beta header. */
const LARGE_WINDOW = { beta: /\bcontext-1m\b/, contextLimit: 1_000_000 };

/** Maximum number of cached lists and learned limits. */
const MAX_KEPT = 200;
/** Minimum plausible limit in tokens. A smaller one was misread, or means something else. */
const MIN_NAMED_LIMIT = 1_000;

export interface ModelLimit {
  /** Context window in tokens. */
  readonly contextLimit: number;
  /**
   * True if the model is neither known nor listed: a limit that a refusal names replaces this one, even if it is
   * higher.
   */
  readonly isGuess: boolean;
}

type Limits = ReadonlyMap<string, number>;

interface KnownList {
  readonly until: number;
  /** `undefined` if the upstream did not return a list. */
  readonly limits: Promise<Limits | undefined>;
}

/** Context windows of models: configured, built in, or listed by the upstream. */
export class UpstreamLimits {
  readonly #given: Readonly<Record<string, number>>;
  /** By upstream and key. */
  readonly #listed = new Lru<string, KnownList>({ maxSize: MAX_KEPT });
  /** Limits named by refusals, by upstream, key and model. */
  readonly #named = new Lru<string, { readonly until: number; readonly contextLimit: number }>({ maxSize: MAX_KEPT });

  constructor(given: Readonly<Record<string, number>> = {}) {
    this.#given = given;
  }

  /** `bytes` is the length of the request. An unknown model is looked up only if the limit could matter. */
  async find(modelId: string, bytes: number, upstream: Upstream, c: Context<ServerEnv>): Promise<ModelLimit> {
    const overrides = Object.fromEntries(
      Object.entries(this.#given).map(([name, contextLimit]) => [name, { contextLimit }]),
    );
    const { contextLimit, source } = getModelLimits(modelId, { overrides });
    if (source === "default") {
      const named = this.#named.get(nameOf(upstream, c, modelId));
      if (named !== undefined && named.until > Date.now()) return { contextLimit: named.contextLimit, isGuess: true };
      const listed = bytes > contextLimit ? (await this.#list(upstream, c))?.get(modelId) : undefined;
      return { contextLimit: listed ?? contextLimit, isGuess: listed === undefined };
    }
    const isLarge = upstream.family === "anthropic" && LARGE_WINDOW.beta.test(c.req.header("anthropic-beta") ?? "");
    return { contextLimit: isLarge ? Math.max(contextLimit, LARGE_WINDOW.contextLimit) : contextLimit, isGuess: false };
  }

  /** Stores the limit that a refusal named for an unknown model. A later refusal replaces it. */
  learn(modelId: string, named: number, upstream: Upstream, c: Context<ServerEnv>): void {
    const contextLimit = Math.max(MIN_NAMED_LIMIT, named);
    this.#named.set(nameOf(upstream, c, modelId), { until: Date.now() + HOLDS, contextLimit });
  }

  /**
   * A response that is not a list is requested again next time, because a wrong key is no information about the models.
   */
  #list(upstream: Upstream, c: Context<ServerEnv>): Promise<Limits | undefined> {
    const name = nameOf(upstream, c);
    const known = this.#listed.get(name);
    if (known !== undefined && known.until > Date.now()) return known.limits;
    const list: KnownList = { until: Date.now() + HOLDS, limits: readLimits(upstream, c) };
    this.#listed.set(name, list);
    return list.limits.then((limits) => {
      if (limits === undefined && this.#listed.get(name) === list) this.#listed.delete(name);
      return limits;
    });
  }
}

function nameOf(upstream: Upstream, c: Context<ServerEnv>, modelId = ""): string {
  return `${upstream.family} ${upstream.keyDigest(c)} ${modelId}`;
}

async function readLimits(upstream: Upstream, c: Context<ServerEnv>): Promise<Limits | undefined> {
  try {
    const path = upstream.family === "gemini" ? "models?pageSize=1000" : "models";
    const answer = await upstream.look(path, c, AbortSignal.timeout(TIMEOUT_MS));
    const list = answer.ok ? tryParseJson(await answer.text())?.value : undefined;
    const models = isRecord(list) ? (arrayField(list, "data") ?? arrayField(list, "models")) : undefined;
    return models && new Map(models.filter(isRecord).flatMap((model) => limitOf(model)));
  } catch {
    return undefined;
  }
}

function limitOf(model: JsonRecord): [string, number][] {
  const meta = recordField(model, "meta") ?? {};
  const listed = [...NAMES.map((name) => numberField(model, name)), numberField(meta, "n_ctx_train")];
  const limit = listed.find((one) => one !== undefined && one > 0);
  const id = stringField(model, "id") ?? stringField(model, "name")?.replace(/^models\//, "");
  return limit === undefined || id === undefined ? [] : [[id, limit]];
}
