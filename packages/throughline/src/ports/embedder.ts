/** Use of an embedding: stored text or search query. Some models distinguish them. */
export type EmbedUse = "passage" | "query";

/** Converts texts to vectors that are close if the texts have a similar meaning. */
export interface Embedder {
  /** Name of the embedder. Vectors of different embedders are not comparable. */
  readonly name: string;
  /** Number of dimensions. */
  readonly dimensions: number;
  /**
   * Returns one vector of unit length per text, in order; all zeros for a text without content. Default use: `passage`.
   */
  embed(texts: readonly string[], use?: EmbedUse, signal?: AbortSignal): Promise<readonly Float32Array[]>;
}
