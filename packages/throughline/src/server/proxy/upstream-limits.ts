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

type Limits = ReadonlyMap<string, number>;

/** Tokens that models take in all: as they were given, as they are known, or as the upstream lists them. */
export class UpstreamLimits {
  readonly #given: Readonly<Record<string, number>>;
  readonly #listed = new Map<Upstream, { readonly until: number; readonly limits: Promise<Limits> }>();

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
      return (await this.#list(upstream, c)).get(modelId) ?? contextLimit;
    }
    const isLarge = upstream.family === "anthropic" && LARGE_WINDOW.beta.test(c.req.header("anthropic-beta") ?? "");
    return isLarge ? Math.max(contextLimit, LARGE_WINDOW.contextLimit) : contextLimit;
  }

  #list(upstream: Upstream, c: Context<ServerEnv>): Promise<Limits> {
    const known = this.#listed.get(upstream);
    if (known !== undefined && known.until > Date.now()) return known.limits;
    const limits = readLimits(upstream, c);
    this.#listed.set(upstream, { until: Date.now() + HOLDS, limits });
    return limits;
  }
}

/** Nothing is known where there is no such list. */
async function readLimits(upstream: Upstream, c: Context<ServerEnv>): Promise<Limits> {
  try {
    const answer = await upstream.look("models", c, AbortSignal.timeout(PATIENCE));
    const list = tryParseJson(await answer.text())?.value;
    const models = isRecord(list) ? (arrayField(list, "data") ?? []).filter(isRecord) : [];
    return new Map(models.flatMap((model) => limitOf(model)));
  } catch {
    return new Map();
  }
}

function limitOf(model: JsonRecord): [string, number][] {
  const meta = recordField(model, "meta") ?? {};
  const told = [...NAMES.map((name) => numberField(model, name)), numberField(meta, "n_ctx_train")];
  const limit = told.find((one) => one !== undefined && one > 0);
  return limit === undefined ? [] : [[String(model.id), limit]];
}
