import { ThroughlineError } from "./throughline-error.ts";

/** Reason why an embedder failed. Stable: callers may switch on it. */
export type EmbedderProblem = "failed" | "missing-package" | "missing-words" | "wrong-answer";

const HINTS: Readonly<Record<EmbedderProblem, string>> = {
  failed: "Retry, and check the model's API key and URL.",
  "missing-package": "Run npm install @huggingface/transformers, or pass its pipeline function as option `pipeline`.",
  "missing-words": "Pass the content of the package's dist/word-vectors.bin: wordEmbedder({ bytes }).",
  "wrong-answer": "Check that the model is an embedding model and that `dimensions` is right.",
};

/**
 * An embedder could not return vectors, or could not be loaded. Recall goes on by words if that happens during a
 * search.
 *
 * @example
 * try {
 *   await transformersEmbedder({ model: "Xenova/all-MiniLM-L6-v2" });
 * } catch (error) {
 *   if (error instanceof EmbedderError && error.problem === "missing-package") console.error(error.hint);
 * }
 */
export class EmbedderError extends ThroughlineError {
  /** Reason of the failure, to switch on. */
  readonly problem: EmbedderProblem;

  constructor(problem: EmbedderProblem, message: string, options?: { cause?: unknown }) {
    super("embedder", message, HINTS[problem], options);
    this.problem = problem;
  }
}
