import { omitUndefined } from "../internal/json.ts";
import type { Embedder, EmbedUse } from "../ports/embedder.ts";
import { type AskAgainOptions, askAgain } from "./ask-again.ts";
import { atLeastOne, checkVectors, embedInBatches, LONGEST } from "./embed-in-batches.ts";

/** Texts to a call where the model does not say how many it takes. */
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

/** Settings that only the provider knows, under its name. */
type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface AiSdkEmbedderOptions extends Omit<AskAgainOptions, "signal"> {
  /** How many numbers its vectors have; where it is not said, the model is asked once. */
  readonly dimensions?: number;
  /** Characters of a text that are sent; the rest of a longer one is left out. */
  readonly longest?: number;
  /** What is sent along, by what the texts are for: many models want to be told. */
  readonly providerOptions?: (use: EmbedUse) => ProviderOptions;
}

/**
 * Any embedding model of the AI SDK behind our port.
 *
 * @example
 * const embedder = await aiSdkEmbedder(openai.embeddingModel("text-embedding-3-small"), { dimensions: 1536 });
 */
export async function aiSdkEmbedder(model: EmbeddingModelLike, options: AiSdkEmbedderOptions = {}): Promise<Embedder> {
  const longest = atLeastOne("longest", options.longest ?? LONGEST);
  const dimensions = atLeastOne("dimensions", options.dimensions ?? (await askForDimensions(model, options)));
  return {
    name: `${model.provider}/${model.modelId}/${dimensions}`,
    dimensions,
    embed: async (texts, use = "passage", signal) => {
      const perCall = Math.max(1, Math.floor((await model.maxEmbeddingsPerCall) ?? PER_CALL));
      const ask = (values: string[]) => askModel(model, values, use, omitUndefined({ ...options, signal }));
      return embedInBatches(texts, { perCall, longest }, dimensions, ask);
    },
  };
}

async function askForDimensions(model: EmbeddingModelLike, options: AiSdkEmbedderOptions): Promise<number> {
  const vectors = await askModel(model, ["How long are your vectors?"], "passage", options);
  const dimensions = vectors?.[0]?.length ?? 0;
  checkVectors(vectors, 1, dimensions);
  return dimensions;
}

async function askModel(
  model: EmbeddingModelLike,
  values: string[],
  use: EmbedUse,
  { providerOptions, ...options }: AiSdkEmbedderOptions & { readonly signal?: AbortSignal },
): Promise<readonly (readonly number[])[]> {
  const extra = omitUndefined({ providerOptions: providerOptions?.(use) as never });
  const work = (signal: AbortSignal) => model.doEmbed({ values, abortSignal: signal as never, ...extra });
  return (await askAgain(work, options)).embeddings;
}
