import { EmbedderError } from "../errors/embedder-error.ts";
import type { Embedder, EmbedUse } from "../ports/embedder.ts";
import { atLeastOne, embedInBatches, LONGEST } from "./embed-in-batches.ts";

/** Made for questions and passages, 33 million parameters, 384 dimensions. */
const DEFAULT_MODEL = "Xenova/e5-small-v2";
const PACKAGE = "@huggingface/transformers";
/** More at once needs much memory and is hardly faster. */
const PER_CALL = 32;

/** Numbers of transformers.js. */
interface TensorLike {
  readonly dims: readonly number[];
  readonly data: unknown;
}

/** How the vectors of a text's tokens become one. */
type Pooling = "cls" | "last_token" | "mean";

/** A model that transformers.js has loaded, as far as it is used. */
type FeatureExtractor = (texts: string[], options: { pooling: Pooling; normalize: boolean }) => Promise<TensorLike>;

/** `pipeline` of transformers.js, as far as it is used. */
export type LoadExtractor = (
  task: "feature-extraction",
  model: string,
  options?: Readonly<Record<string, unknown>>,
) => Promise<FeatureExtractor>;

export interface TransformersEmbedderOptions {
  /** The model's name on the Hugging Face hub, or the path of its folder. */
  readonly model?: string;
  /** What stands before each text, by what it is for. E5 models have their own where it is not said; others have none. */
  readonly prefixes?: Readonly<Record<EmbedUse, string>>;
  readonly pooling?: Pooling;
  /** Characters of a text that are read; the model itself cuts what is more than its tokens. */
  readonly longest?: number;
  /** What the library is told when it loads the model: `dtype`, `device`, `cache_dir`, `local_files_only`, and so on. */
  readonly load?: Readonly<Record<string, unknown>>;
  /** `pipeline` of transformers.js. By default the installed package's; bundles for browsers have to give it. */
  readonly pipeline?: LoadExtractor;
}

/**
 * A model that runs where Throughline runs, by transformers.js, which is installed by whoever wants it. The model is
 * loaded here, and downloaded the first time.
 *
 * @throws EmbedderError where the package is missing or the model does not load.
 *
 * @example
 * const embedder = await transformersEmbedder({ load: { dtype: "q8" } });
 */
export async function transformersEmbedder(options: TransformersEmbedderOptions = {}): Promise<Embedder> {
  const { model = DEFAULT_MODEL, pooling = "mean" } = options;
  const longest = atLeastOne("longest", options.longest ?? LONGEST);
  const prefixes = options.prefixes ?? prefixesOf(model);
  const extractor = await loadExtractor(model, options);
  const extract = async (texts: string[]) => readRows(await run(extractor, texts, pooling));
  const dimensions = (await extract(["How long are your vectors?"]))[0]?.length ?? 0;
  if (dimensions === 0) throw new EmbedderError("wrong-answer", `${model} gave no vector.`);
  return {
    name: `transformers/${model}/${pooling}/${dimensions}`,
    dimensions,
    embed: async (texts, use = "passage", signal) => {
      const ask = async (batch: string[]) => {
        // A batch that is under way cannot be stopped.
        if (signal?.aborted) throw signal.reason;
        return extract(batch.map((text) => prefixes[use] + text));
      };
      return embedInBatches(texts, { perCall: PER_CALL, longest }, dimensions, ask);
    },
  };
}

/** E5 models are trained with these words and are much worse without them. */
function prefixesOf(model: string): Readonly<Record<EmbedUse, string>> {
  const isE5 = /(^|[/-])e5-/i.test(model) && !/instruct/i.test(model);
  return isE5 ? { query: "query: ", passage: "passage: " } : { query: "", passage: "" };
}

async function loadExtractor(
  model: string,
  { load, pipeline }: TransformersEmbedderOptions,
): Promise<FeatureExtractor> {
  const given = pipeline ?? (await importPipeline());
  try {
    return await given("feature-extraction", model, load);
  } catch (cause) {
    throw new EmbedderError("failed", `${model} did not load: ${say(cause)}`, { cause });
  }
}

async function importPipeline(): Promise<LoadExtractor> {
  try {
    // Not written out: a bundler would want the package to be there, and nobody has to have it.
    const name: string = PACKAGE;
    const library: { readonly pipeline: LoadExtractor } = await import(
      /* @vite-ignore */ /* webpackIgnore: true */ name
    );
    return library.pipeline;
  } catch (cause) {
    throw new EmbedderError("missing-package", `${PACKAGE} could not be imported: ${say(cause)}`, { cause });
  }
}

async function run(extractor: FeatureExtractor, texts: string[], pooling: Pooling): Promise<TensorLike> {
  try {
    return await extractor(texts, { pooling, normalize: true });
  } catch (cause) {
    throw new EmbedderError("failed", `No vectors: ${say(cause)}`, { cause });
  }
}

/** A tensor of texts by dimensions, row by row. */
function readRows({ dims, data }: TensorLike): Float32Array[] {
  const [count = 0, dimensions = 0, ...others] = dims;
  if (others.length > 0 || !(data instanceof Float32Array) || data.length !== count * dimensions) {
    throw new EmbedderError(
      "wrong-answer",
      `The model gave a tensor of ${dims.join(" × ")}, not one row for each text.`,
    );
  }
  return Array.from({ length: count }, (_, row) => data.slice(row * dimensions, (row + 1) * dimensions));
}

function say(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
