import type { Context } from "hono";
import {
  arrayField,
  isRecord,
  type JsonRecord,
  numberField,
  recordField,
  tryParseJson,
} from "../../message/read-json.ts";
import { getModelLimits } from "../../tokens/model-limits.ts";
import type { ServerEnv } from "../server-env.ts";
import type { Upstream } from "./upstream.ts";

/** Milliseconds for which a list of models holds, and in which it has to come. */
const HOLDS = 10 * 60_000;
const PATIENCE = 2_000;
/** How the services call what a model takes in all, in the lists of their models. */
const NAMES = ["context_length", "max_model_len", "context_window", "max_context_length", "max_input_tokens"];
/** Anthropic sells a larger window to who asks for it. */
const LARGE_WINDOW = { beta: /\bcontext-1m\b/, contextLimit: 1_000_000 };

/** Keys whose lists are known at a time. */
const MAX_LISTS = 200;

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
  readonly #listed = new Map<string, KnownList>();

  constructor(given: Readonly<Record<string, number>> = {}) {
    this.#given = given;
  }

  /** `bytes`: how long the request is. A model that nobody knows is looked up only where that could matter. */
  async find(modelId: string, bytes: number, upstream: Upstream, c: Context<ServerEnv>): Promise<number> {
    const overrides = Object.fromEntries(
      Object.entries(this.#given).map(([name, contextLimit]) => [name, { contextLimit }]),
    );
    const { contextLimit, source } = getModelLimits(modelId, { overrides });
    if (source === "default" && bytes > contextLimit) {
      return (await this.#list(upstream, c))?.get(modelId) ?? contextLimit;
    }
    const isLarge = upstream.family === "anthropic" && LARGE_WINDOW.beta.test(c.req.header("anthropic-beta") ?? "");
    return isLarge ? Math.max(contextLimit, LARGE_WINDOW.contextLimit) : contextLimit;
  }

  /** An answer that is no list is asked for again the next time: a wrong key says nothing about the models. */
  #list(upstream: Upstream, c: Context<ServerEnv>): Promise<Limits | undefined> {
    const name = `${upstream.family} ${upstream.keyDigest(c)}`;
    const known = this.#listed.get(name);
    if (known !== undefined && known.until > Date.now()) return known.limits;
    const list: KnownList = { until: Date.now() + HOLDS, limits: readLimits(upstream, c) };
    this.#listed.delete(name);
    this.#listed.set(name, list);
    if (this.#listed.size > MAX_LISTS) this.#listed.delete(this.#listed.keys().next().value ?? "");
    return list.limits.then((limits) => {
      if (limits === undefined && this.#listed.get(name) === list) this.#listed.delete(name);
      return limits;
    });
  }
}

async function readLimits(upstream: Upstream, c: Context<ServerEnv>): Promise<Limits | undefined> {
  try {
    const answer = await upstream.look("models", c, AbortSignal.timeout(PATIENCE));
    const list = answer.ok ? tryParseJson(await answer.text())?.value : undefined;
    const models = isRecord(list) ? arrayField(list, "data") : undefined;
    return models && new Map(models.filter(isRecord).flatMap((model) => limitOf(model)));
  } catch {
    return undefined;
  }
}

function limitOf(model: JsonRecord): [string, number][] {
  const meta = recordField(model, "meta") ?? {};
  const told = [...NAMES.map((name) => numberField(model, name)), numberField(meta, "n_ctx_train")];
  const limit = told.find((one) => one !== undefined && one > 0);
  return limit === undefined ? [] : [[String(model.id), limit]];
}
