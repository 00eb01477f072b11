/** What a text is embedded for: to be found, or to find others. Some models make other vectors for each. */
export type EmbedUse = "passage" | "query";

/** Turns texts into vectors that lie near each other where the texts mean much the same. */
export interface Embedder {
  /** Names what the vectors were made with: those of two embedders cannot be compared. */
  readonly name: string;
  /** How many numbers a vector has. */
  readonly dimensions: number;
  /**
   * One vector for each text, in their order and of unit length; all zeros for a text that says nothing. Texts are
   * passages where it is not said.
   */
  embed(texts: readonly string[], use?: EmbedUse, signal?: AbortSignal): Promise<readonly Float32Array[]>;
}
