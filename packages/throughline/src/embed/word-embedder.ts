import { isGzip, unzipped } from "../internal/packaged-file.ts";
import type { Embedder } from "../ports/embedder.ts";
import { wordMeans } from "./word-vectors/embed-words.ts";
import { loadWordTable } from "./word-vectors/load-word-table.ts";
import { DIMENSIONS, readWordTable } from "./word-vectors/word-table.ts";

/** Characters between two pauses, so that a long job does not hold up everything else. */
const CHARACTERS_AT_ONCE = 100_000;

type Means = (text: string) => Float32Array;

export interface WordEmbedderOptions {
  /** The bytes of `word-vectors.bin`, where they cannot be read from beside this module. */
  readonly bytes?: Uint8Array;
}

/**
 * The embedder that ships with the package: no model, no download, no native code. It knows 40,000 English words and
 * makes the best of others: texts in other languages are alike where their words are the same. The words are read with
 * the first text, and of a text only the beginning.
 *
 * @throws EmbedderError, from `embed`, where the words cannot be read.
 *
 * @example
 * const embedder = wordEmbedder();
 * const [vector] = await embedder.embed(["We moved to PostgreSQL in May."]);
 */
export function wordEmbedder({ bytes }: WordEmbedderOptions = {}): Embedder {
  let means = bytes && !isGzip(bytes) ? wordMeans(readWordTable(bytes)) : undefined;
  return {
    // Another file, or another way to make vectors of it, needs another name.
    name: "throughline-words-1",
    dimensions: DIMENSIONS,
    embed: async (texts, _use, signal) => {
      means ??= wordMeans(bytes ? readWordTable(await unzipped(bytes)) : await loadWordTable());
      return inPieces(texts, means, signal);
    },
  };
}

async function inPieces(
  texts: readonly string[],
  means: Means,
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
