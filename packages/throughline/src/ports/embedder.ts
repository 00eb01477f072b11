/** Name of the built-in embedder. Change it if its file or the computation of its vectors changes. */
export const WORD_EMBEDDER = "throughline-words-1";

/** Use of an embedding: stored text or search query. Some models distinguish them. */
export type EmbedUse = "passage" | "query";

/**
 * Converts texts to vectors that are close if the texts have a similar meaning. Implement it to use your own embedding
 * model; for those of the AI SDK there is `aiSdkEmbedder`.
 *
 * @example
 * const embedder: Embedder = {
 *   name: "my-embedder",
 *   dimensions: 384,
 *   async embed(texts) {
 *     const reply = await fetch("http://127.0.0.1:8080/embed", { method: "POST", body: JSON.stringify(texts) });
 *     return ((await reply.json()) as number[][]).map((vector) => new Float32Array(vector));
 *   },
 * };
 * const tl = await createThroughline({ embedder });
 */
export interface Embedder {
  /** Name of the embedder. Vectors of different embedders are not comparable. */
  readonly name: string;
  /** Number of dimensions. */
  readonly dimensions: number;
  /**
   * Returns one vector of unit length per text, in order; all zeros for a text without content.
   *
   * @param texts Texts to embed.
   * @param use `passage` for stored text, `query` for a search. Default: `passage`.
   * @param signal Aborts the call.
   */
  embed(texts: readonly string[], use?: EmbedUse, signal?: AbortSignal): Promise<readonly Float32Array[]>;
  /**
   * Rarity of a lower-case word in general text: −ln of its share of all words, about 4 for "the" and 12 for
   * "canary"; `undefined` for an unknown word, such as a name. Called after `embed`. Search uses it to tell the
   * specific words of a question from the ordinary ones; without it, the stored texts alone decide.
   *
   * @param word Word in lower case.
   */
  rarity?(word: string): number | undefined;
}

/** Normalizes a vector to length 1. A zero vector stays zero. */
export function toUnitLength(values: ArrayLike<number>): Float32Array {
  const vector = Float32Array.from(values);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length < 1e-6 ? vector.fill(0) : vector.map((value) => value / length);
}
