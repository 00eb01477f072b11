import {
  ABOVE_ZERO,
  AT_LEAST_ZERO,
  CHECKED_LATER,
  checkOptions,
  FUNCTION,
  type OptionRules,
} from "../errors/check-options.ts";
import { EmbedderError } from "../errors/model-errors.ts";
import { omitUndefined } from "../internal/json.ts";
import { type RetryOptions, retryTemporary, runInTime, type TimeOptions } from "../ports/clock.ts";
import type { Embedder, EmbedUse } from "../ports/embedder.ts";
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

type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface AiSdkEmbedderOptions extends Omit<RetryOptions & TimeOptions, "signal"> {
  /** Number of dimensions. Default: asked from the model with one call. */
  readonly dimensions?: number;
  /** Maximum characters per text; longer texts are truncated. Default: 8,000. */
  readonly longest?: number;
  /** Provider options per use. Many models distinguish passages and queries. */
  readonly providerOptions?: (use: EmbedUse) => ProviderOptions;
}

const EMBEDDER_RULES: OptionRules<AiSdkEmbedderOptions> = {
  dimensions: CHECKED_LATER,
  longest: CHECKED_LATER,
  providerOptions: FUNCTION,
  maxRetries: AT_LEAST_ZERO,
  retryDelay: AT_LEAST_ZERO,
  timeLimit: ABOVE_ZERO,
};

/**
 * Creates an embedder from an embedding model of the AI SDK.
 *
 * @param model Embedding model of the AI SDK.
 * @param options Dimensions, limits, retries and provider options.
 * @throws InvalidOptionError if an option is invalid or unknown.
 * @throws EmbedderError if the dimensions are not given and the model does not answer.
 *
 * @example
 * const embedder = await aiSdkEmbedder(embeddingModel, { dimensions: 1536 });
 */
export async function aiSdkEmbedder(model: EmbeddingModelLike, options: AiSdkEmbedderOptions = {}): Promise<Embedder> {
  checkOptions("aiSdkEmbedder", options, EMBEDDER_RULES);
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
  return (await runRequest(work, options)).embeddings;
}

/**
 * Runs a request within its time limit and retries temporary failures. Throws the reason of the signal if aborted.
 */
async function runRequest<T>(
  work: (signal: AbortSignal) => PromiseLike<T>,
  { timeLimit = 30_000, signal, ...retries }: RetryOptions & TimeOptions,
): Promise<T> {
  let failure = "";
  const attempt = async (): Promise<T> => {
    const reply = await runInTime("the model", work, omitUndefined({ timeLimit, signal }));
    if ("value" in reply) return reply.value;
    failure = reply.failure;
    throw reply.cause;
  };
  try {
    return await retryTemporary(attempt, { ...retries, signal });
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new EmbedderError("failed", `Embedding failed: ${failure}`, { cause });
  }
}
