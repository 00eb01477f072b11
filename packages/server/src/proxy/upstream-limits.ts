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
} from "throughline/internal";
import type { ServerEnv } from "../server-env.ts";
import type { Upstream } from "./upstream.ts";

/** Milliseconds for which a list of models and a limit that a refusal named hold, and in which a list has to come. */
const HOLDS = 10 * 60_000;
const PATIENCE = 2_000;
/** How the services call what a model takes in all, in the lists of their models. */
const NAMES = [
  "context_length",
  "max_model_len",
  "context_window",
  "max_context_length",
  "max_input_tokens",
  "inputTokenLimit",
];
/** Anthropic sells a larger window to who asks for it. */
const LARGE_WINDOW = { beta: /\bcontext-1m\b/, contextLimit: 1_000_000 };

/** Lists, and limits that refusals named, that are known at a time. */
const MAX_KEPT = 200;
/** Tokens. A refusal that names less is misread, or is about something else. */
const MIN_NAMED_LIMIT = 1_000;

export interface ModelLimit {
  /** Tokens that the model takes in all. */
  readonly contextLimit: number;
  /** The model is neither known nor listed: a limit that a refusal names replaces this one, even if it is higher. */
  readonly isGuess: boolean;
}

type Limits = ReadonlyMap<string, number>;

interface KnownList {
  readonly until: number;
  /** `undefined` where the upstream did not answer with a list. */
  readonly limits: Promise<Limits | undefined>;
}

/** Tokens that models take in all: as they were given, as they are known, or as the upstream lists them. */
export class UpstreamLimits {
  readonly #given: Readonly<Record<string, number>>;
  /** By the upstream and the key that it was asked with. */
  readonly #listed = new Lru<string, KnownList>({ maxSize: MAX_KEPT });
  /** Limits that refusals named, by the upstream, the key and the model. */
  readonly #named = new Lru<string, { readonly until: number; readonly contextLimit: number }>({ maxSize: MAX_KEPT });

  constructor(given: Readonly<Record<string, number>> = {}) {
    this.#given = given;
  }

  /** `bytes`: how long the request is. A model that nobody knows is looked up only where that could matter. */
  async find(modelId: string, bytes: number, upstream: Upstream, c: Context<ServerEnv>): Promise<ModelLimit> {
    const overrides = Object.fromEntries(
      Object.entries(this.#given).map(([name, contextLimit]) => [name, { contextLimit }]),
    );
    const { contextLimit, source } = getModelLimits(modelId, { overrides });
    if (source === "default") {
      const named = this.#named.get(nameOf(upstream, c, modelId));
      if (named !== undefined && named.until > Date.now()) return { contextLimit: named.contextLimit, isGuess: true };
      const told = bytes > contextLimit ? (await this.#list(upstream, c))?.get(modelId) : undefined;
      return { contextLimit: told ?? contextLimit, isGuess: told === undefined };
    }
    const isLarge = upstream.family === "anthropic" && LARGE_WINDOW.beta.test(c.req.header("anthropic-beta") ?? "");
    return { contextLimit: isLarge ? Math.max(contextLimit, LARGE_WINDOW.contextLimit) : contextLimit, isGuess: false };
  }

  /** Notes the limit that a refusal of an upstream named for an unknown model. A later refusal replaces it. */
  learn(modelId: string, named: number, upstream: Upstream, c: Context<ServerEnv>): void {
    const contextLimit = Math.max(MIN_NAMED_LIMIT, named);
    this.#named.set(nameOf(upstream, c, modelId), { until: Date.now() + HOLDS, contextLimit });
  }

  /** An answer that is no list is asked for again the next time: a wrong key says nothing about the models. */
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
    const answer = await upstream.look(path, c, AbortSignal.timeout(PATIENCE));
    const list = answer.ok ? tryParseJson(await answer.text())?.value : undefined;
    const models = isRecord(list) ? (arrayField(list, "data") ?? arrayField(list, "models")) : undefined;
    return models && new Map(models.filter(isRecord).flatMap((model) => limitOf(model)));
  } catch {
    return undefined;
  }
}

function limitOf(model: JsonRecord): [string, number][] {
  const meta = recordField(model, "meta") ?? {};
  const told = [...NAMES.map((name) => numberField(model, name)), numberField(meta, "n_ctx_train")];
  const limit = told.find((one) => one !== undefined && one > 0);
  const id = stringField(model, "id") ?? stringField(model, "name")?.replace(/^models\//, "");
  return limit === undefined || id === undefined ? [] : [[id, limit]];
}
