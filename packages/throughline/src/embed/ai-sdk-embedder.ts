import { EmbedderError } from "../errors/embedder-error.ts";
import { isRecord, omitUndefined } from "../internal/json.ts";
import type { Embedder, EmbedUse } from "../ports/embedder.ts";
import { runInTime, type TimeOptions } from "../ports/run-in-time.ts";
import { atLeastOne, checkVectors, embedInBatches, MAX_TEXT_CHARACTERS } from "./embed-in-batches.ts";

/** Texts per call, if the model does not specify a maximum. */
const PER_CALL = 96;

/** An embedding model of the AI SDK (specification 2, 3 or 4), as far as it is used. */
export interface EmbeddingModelLike {
  readonly provider: string;
  readonly modelId: string;
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
  doEmbed(options: {
    readonly values: string[];
    readonly abortSignal?: never;
    readonly providerOptions?: never;
  }): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
}

/** Options per provider name. */
type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface AiSdkEmbedderOptions extends Omit<RetryOptions, "signal"> {
  /** Number of dimensions. Default: asked from the model with one call. */
  readonly dimensions?: number;
  /** Maximum characters per text; longer texts are truncated. Default: 8,000. */
  readonly longest?: number;
  /** Provider options per use. Many models distinguish passages and queries. */
  readonly providerOptions?: (use: EmbedUse) => ProviderOptions;
}

/**
 * Creates an embedder from an embedding model of the AI SDK.
 *
 * @param model Embedding model of the AI SDK.
 * @param options Dimensions, limits, retries and provider options.
 * @throws EmbedderError if the dimensions are not given and the model does not answer.
 *
 * @example
 * const embedder = await aiSdkEmbedder(embeddingModel, { dimensions: 1536 });
 */
export async function aiSdkEmbedder(model: EmbeddingModelLike, options: AiSdkEmbedderOptions = {}): Promise<Embedder> {
  const longest = atLeastOne("longest", options.longest ?? MAX_TEXT_CHARACTERS);
  const dimensions = atLeastOne("dimensions", options.dimensions ?? (await requestDimensions(model, options)));
  return {
    name: `${model.provider}/${model.modelId}/${dimensions}`,
    dimensions,
    embed: async (texts, use = "passage", signal) => {
      const perCall = Math.max(1, Math.floor((await model.maxEmbeddingsPerCall) ?? PER_CALL));
      const ask = (values: string[]) => requestEmbeddings(model, values, use, omitUndefined({ ...options, signal }));
      return embedInBatches(texts, { perCall, longest }, dimensions, ask);
    },
  };
}

async function requestDimensions(model: EmbeddingModelLike, options: AiSdkEmbedderOptions): Promise<number> {
  const vectors = await requestEmbeddings(model, ["How long are your vectors?"], "passage", options);
  const dimensions = vectors?.[0]?.length ?? 0;
  checkVectors(vectors, 1, dimensions);
  return dimensions;
}

async function requestEmbeddings(
  model: EmbeddingModelLike,
  values: string[],
  use: EmbedUse,
  { providerOptions, ...options }: AiSdkEmbedderOptions & { readonly signal?: AbortSignal },
): Promise<readonly (readonly number[])[]> {
  const extra = omitUndefined({ providerOptions: providerOptions?.(use) as never });
  const work = (signal: AbortSignal) => model.doEmbed({ values, abortSignal: signal as never, ...extra });
  return (await retry(work, options)).embeddings;
}

/** Retries and time limit of a request. */
interface RetryOptions extends TimeOptions {
  /** Retries after a temporary failure: overload or no connection. Default: 2. */
  readonly maxRetries?: number;
  /** Delay before the first retry in milliseconds; doubles with each retry. Default: 1,000. */
  readonly retryDelay?: number;
}

/**
 * Runs a request to a model of the AI SDK and retries temporary failures. Throws the reason of the signal if aborted.
 */
async function retry<T>(
  work: (signal: AbortSignal) => PromiseLike<T>,
  { timeLimit = 30_000, maxRetries = 2, retryDelay = 1_000, signal }: RetryOptions = {},
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    const reply = await runInTime("the model", work, omitUndefined({ timeLimit, signal }));
    if ("value" in reply) return reply.value;
    if (signal?.aborted) throw signal.reason;
    if (tries >= maxRetries || !isTemporary(reply.cause)) {
      throw new EmbedderError("failed", `Embedding failed: ${reply.failure}`, { cause: reply.cause });
    }
    await pause(retryDelay * 2 ** tries, signal);
  }
}

/** The AI SDK marks temporary failures. */
function isTemporary(cause: unknown): boolean {
  return isRecord(cause) && cause.isRetryable === true;
}

/** Waits, or returns early if aborted. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = setTimeout(end, milliseconds);
  signal?.addEventListener("abort", end, { once: true });
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener("abort", end);
}
