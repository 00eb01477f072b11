import {
  CHECKED_LATER,
  checkOptions,
  FUNCTION,
  OBJECT,
  type OptionRules,
  oneOf,
  TEXT,
} from "../errors/check-options.ts";
import { EmbedderError } from "../errors/model-errors.ts";
import { messageOf } from "../internal/text.ts";
import type { Embedder, EmbedUse } from "../ports/embedder.ts";
import { atLeastOne, embedInBatches, MAX_TEXT_CHARACTERS } from "./embed-in-batches.ts";

/** Trained for questions and passages; 33 million parameters, 384 dimensions. */
const DEFAULT_MODEL = "Xenova/e5-small-v2";
const PACKAGE = "@huggingface/transformers";
/** Larger batches need much more memory and are hardly faster. */
const PER_CALL = 32;

/** A tensor of transformers.js. */
interface TensorLike {
  readonly dims: readonly number[];
  readonly data: unknown;
}

/** Method that combines token vectors to a text vector. */
type Pooling = "cls" | "last_token" | "mean";

/** A model loaded by transformers.js, as far as it is used. */
type FeatureExtractor = (texts: string[], options: { pooling: Pooling; normalize: boolean }) => Promise<TensorLike>;

/** `pipeline` of transformers.js, as far as it is used. */
export type LoadExtractor = (
  task: "feature-extraction",
  model: string,
  options?: Readonly<Record<string, unknown>>,
) => Promise<FeatureExtractor>;

export interface TransformersEmbedderOptions {
  /** Model name on the Hugging Face hub, or the path of its folder. Default: `Xenova/e5-small-v2`. */
  readonly model?: string;
  /** Prefix of each text, per use. Default: `query: ` and `passage: ` for E5 models, none for others. */
  readonly prefixes?: Readonly<Record<EmbedUse, string>>;
  /** Method that combines token vectors. Default: `mean`. */
  readonly pooling?: Pooling;
  /** Maximum characters per text; the model truncates by tokens. Default: 8,000. */
  readonly longest?: number;
  /** Options for loading the model: `dtype`, `device`, `cache_dir`, `local_files_only`, … */
  readonly load?: Readonly<Record<string, unknown>>;
  /** `pipeline` of transformers.js. Default: imported from the installed package. Required in browser bundles. */
  readonly pipeline?: LoadExtractor;
}

const EMBEDDER_RULES: OptionRules<TransformersEmbedderOptions> = {
  model: TEXT,
  prefixes: OBJECT,
  pooling: oneOf("cls", "last_token", "mean"),
  longest: CHECKED_LATER,
  load: OBJECT,
  pipeline: FUNCTION,
};

/**
 * Creates an embedder that runs a model locally with transformers.js, an optional peer dependency. Loads the model, and
 * downloads it on first use.
 *
 * @param options Model, prefixes and loading options.
 * @throws InvalidOptionError if an option is invalid or unknown.
 * @throws EmbedderError if the package is missing or the model cannot be loaded.
 *
 * @example
 * const embedder = await transformersEmbedder({ load: { dtype: "q8" } });
 */
export async function transformersEmbedder(options: TransformersEmbedderOptions = {}): Promise<Embedder> {
  checkOptions("transformersEmbedder", options, EMBEDDER_RULES);
  const { model = DEFAULT_MODEL, pooling = "mean" } = options;
  const longest = atLeastOne("longest", options.longest ?? MAX_TEXT_CHARACTERS);
  const prefixes = options.prefixes ?? prefixesOf(model);
  const extractor = await loadExtractor(model, options);
  const extract = async (texts: string[]) => readRows(await run(extractor, texts, pooling));
  const dimensions = (await extract(["How long are your vectors?"]))[0]?.length ?? 0;
  if (dimensions === 0) throw new EmbedderError("wrong-answer", `Model ${model} returned no vector.`);
  return {
    name: `transformers/${model}/${pooling}/${dimensions}`,
    dimensions,
    embed: async (texts, use = "passage", signal) => {
      const ask = async (batch: string[]) => {
        // A running batch cannot be aborted.
        if (signal?.aborted) throw signal.reason;
        return extract(batch.map((text) => prefixes[use] + text));
      };
      return embedInBatches(texts, { perCall: PER_CALL, longest }, dimensions, ask);
    },
  };
}

/** E5 models are trained with these prefixes and perform much worse without them. */
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
    throw new EmbedderError("failed", `Could not load model ${model}: ${messageOf(cause)}`, { cause });
  }
}

async function importPipeline(): Promise<LoadExtractor> {
  try {
    // Not a literal: a bundler would require the package, which is optional.
    const name: string = PACKAGE;
    const library: { readonly pipeline: LoadExtractor } = await import(
      /* @vite-ignore */ /* webpackIgnore: true */ name
    );
    return library.pipeline;
  } catch (cause) {
    throw new EmbedderError("missing-package", `Could not import ${PACKAGE}: ${messageOf(cause)}`, { cause });
  }
}

async function run(extractor: FeatureExtractor, texts: string[], pooling: Pooling): Promise<TensorLike> {
  try {
    return await extractor(texts, { pooling, normalize: true });
  } catch (cause) {
    throw new EmbedderError("failed", `Embedding failed: ${messageOf(cause)}`, { cause });
  }
}

/** Splits a tensor into one row per text. */
function readRows({ dims, data }: TensorLike): Float32Array[] {
  const [count = 0, dimensions = 0, ...others] = dims;
  if (others.length > 0 || !(data instanceof Float32Array) || data.length !== count * dimensions) {
    throw new EmbedderError(
      "wrong-answer",
      `The model returned a tensor of ${dims.join(" × ")}, expected one row per text.`,
    );
  }
  return Array.from({ length: count }, (_, row) => data.slice(row * dimensions, (row + 1) * dimensions));
}
