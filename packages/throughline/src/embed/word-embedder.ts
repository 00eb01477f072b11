import { checkOptions } from "../errors/check-options.ts";
import { lazy } from "../internal/memoize.ts";
import { isGzip, unzipped } from "../internal/packaged-file.ts";
import { type Embedder, WORD_EMBEDDER } from "../ports/embedder.ts";
import { checkWordTable, DIMENSIONS, loadWordTable } from "./word-table.ts";

/** Characters between two pauses, so that other tasks can run. */
const CHARACTERS_AT_ONCE = 100_000;

const loadEmbedding = lazy(() => import("./embed-words.ts"));

type MeanVector = (text: string) => Float32Array;

export interface WordEmbedderOptions {
  /** Content of `word-vectors.bin`. Default: read from the package. */
  readonly bytes?: Uint8Array;
}

/**
 * Creates the built-in embedder: no model, no download, no native code. It knows 40,000 English words; other words
 * match themselves, so texts in other languages are similar if they share words. The word vectors are loaded with the
 * first text. Only the first 10,000 characters of a text count.
 *
 * @param options Word vectors, if the package's file cannot be read.
 * @throws InvalidOptionError if an option is invalid or unknown.
 * @throws EmbedderError, from `embed`, if the word vectors cannot be read.
 *
 * @example
 * const embedder = wordEmbedder();
 * const [vector] = await embedder.embed(["We moved to PostgreSQL in May."]);
 */
export function wordEmbedder(options: WordEmbedderOptions = {}): Embedder {
  checkOptions("wordEmbedder", options, { bytes: [(value) => ArrayBuffer.isView(value), "a Uint8Array"] });
  const { bytes } = options;
  let table = bytes && !isGzip(bytes) ? checkWordTable(bytes) : undefined;
  let words: Awaited<ReturnType<typeof loadEmbedding>> | undefined;
  let means: MeanVector | undefined;
  return {
    name: WORD_EMBEDDER,
    dimensions: DIMENSIONS,
    embed: async (texts, _use, signal) => {
      table ??= bytes ? checkWordTable(await unzipped(bytes)) : await loadWordTable();
      words ??= await loadEmbedding();
      means ??= words.wordMeans(table);
      return inPieces(texts, means, signal);
    },
    rarity: (word) => table && words?.wordRarity(word, table),
  };
}

async function inPieces(
  texts: readonly string[],
  means: MeanVector,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  let characters = 0;
  for (const text of texts) {
    if (signal?.aborted) throw signal.reason;
    if (characters > CHARACTERS_AT_ONCE) {
      await new Promise<void>((resolve) => setTimeout(resolve, 0));
      characters = 0;
    }
    vectors.push(means(text));
    characters += text.length;
  }
  return vectors;
}
