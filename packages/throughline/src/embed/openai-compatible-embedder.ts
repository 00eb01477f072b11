import { ABOVE_ZERO, CHECKED_LATER, checkOptions, type OptionRules } from "../errors/check-options.ts";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { EmbedderError, ModelError } from "../errors/model-errors.ts";
import { type ModelServer, readServer, SERVER_RULES, type ServerOptions } from "../http/model-server.ts";
import { requestJson } from "../http/request-json.ts";
import { arrayField, isRecord, omitUndefined } from "../internal/json.ts";
import { runInTime } from "../ports/clock.ts";
import type { Embedder } from "../ports/embedder.ts";
import { atLeastOne, embedInBatches, MAX_TEXT_CHARACTERS } from "./embed-in-batches.ts";

/** Options of `openAiCompatibleEmbedder`. */
export interface OpenAiCompatibleEmbedderOptions extends ServerOptions {
  /** Name of the embedding model on the server. */
  readonly model: string;
  /** Number of dimensions to request. Default: those of the model. */
  readonly dimensions?: number;
  /** Maximum characters per text; longer texts are truncated. Default: 8,000. */
  readonly longest?: number;
  /** Time limit per request in milliseconds, including retries. Default: 30,000. */
  readonly timeLimit?: number;
}

const EMBEDDER_RULES: OptionRules<OpenAiCompatibleEmbedderOptions> = {
  ...SERVER_RULES,
  model: CHECKED_LATER,
  dimensions: CHECKED_LATER,
  longest: CHECKED_LATER,
  timeLimit: ABOVE_ZERO,
};

const DEFAULT_TIME_LIMIT = 30_000;
/** Texts per request. Few servers accept more than 100. */
const PER_CALL = 64;

/**
 * Creates an embedder for a server with OpenAI's embeddings API: OpenAI, Ollama, vLLM, llama.cpp and many others.
 * Nothing is requested before the first text; `dimensions` is 0 until then, unless you set it.
 *
 * @param options Server, model name, dimensions, limits and retries.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const embedder = openAiCompatibleEmbedder({ baseUrl: "http://127.0.0.1:11434/v1", model: "nomic-embed-text" });
 * const tl = await createThroughline({ embedder });
 */
export function openAiCompatibleEmbedder(options: OpenAiCompatibleEmbedderOptions): Embedder {
  checkOptions("openAiCompatibleEmbedder", options, EMBEDDER_RULES);
  const { model, longest = MAX_TEXT_CHARACTERS, timeLimit = DEFAULT_TIME_LIMIT } = options;
  if (typeof model !== "string" || model === "") throw new InvalidOptionError("model", model, "a model name");
  const requested = options.dimensions === undefined ? undefined : atLeastOne("dimensions", options.dimensions);
  const limits = { perCall: PER_CALL, longest: atLeastOne("longest", longest) };
  const server = readServer("embeddings", options);
  let dimensions = requested;
  return {
    // Without the URL: the same model on another server makes the same vectors.
    name: requested === undefined ? `endpoint/${model}` : `endpoint/${model}/${requested}`,
    get dimensions() {
      return dimensions ?? 0;
    },
    async embed(texts, _use, signal) {
      const ask = (input: string[]) =>
        requestVectors(server, { model, input, dimensions: requested }, omitUndefined({ timeLimit, signal }));
      const vectors = await embedInBatches(texts, limits, dimensions, ask);
      dimensions ??= vectors.find(({ length }) => length > 0)?.length;
      return vectors;
    },
  };
}

interface VectorRequest {
  readonly model: string;
  readonly input: readonly string[];
  readonly dimensions: number | undefined;
}

/** @throws EmbedderError if the server fails or answers something else. */
async function requestVectors(
  server: ModelServer,
  request: VectorRequest,
  { timeLimit, signal }: { readonly timeLimit: number; readonly signal?: AbortSignal },
): Promise<readonly (readonly number[])[]> {
  const until = Date.now() + timeLimit;
  const body = omitUndefined({ ...request, encoding_format: "float" });
  const work = (inner: AbortSignal) => requestJson(server, body, { signal: inner, until });
  const reply = await runInTime(server.name, work, omitUndefined({ timeLimit, signal }));
  if (signal?.aborted) throw signal.reason;
  if ("value" in reply) return readVectors(reply.value, server.name);
  const { cause, failure } = reply;
  throw new EmbedderError("failed", `Embedding failed: ${cause instanceof ModelError ? cause.summary : `${failure}.`}`);
}

/** The vectors in the order of the texts. */
function readVectors(answer: unknown, serverName: string): readonly (readonly number[])[] {
  const items = ((isRecord(answer) && arrayField(answer, "data")) || []).filter(isRecord);
  const sorted = items.every(({ index }) => typeof index === "number")
    ? items.toSorted((a, b) => Number(a.index) - Number(b.index))
    : items;
  const vectors = sorted.map((item) => arrayField(item, "embedding"));
  if (vectors.length === 0 || vectors.includes(undefined))
    throw new EmbedderError("wrong-answer", `${serverName} returned no vectors.`);
  return vectors as readonly (readonly number[])[];
}
