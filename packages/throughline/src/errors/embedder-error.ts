import { ThroughlineError } from "./throughline-error.ts";

/** What keeps an embedder from giving vectors. Stable: callers may switch on it. */
export type EmbedderProblem = "failed" | "missing-package" | "missing-words" | "wrong-answer";

const HINTS: Readonly<Record<EmbedderProblem, string>> = {
  failed: "Try again in a moment, and check the model's key and address.",
  "missing-package":
    "Run npm install @huggingface/transformers, or give its pipeline function as the option `pipeline`.",
  "missing-words": "Give the bytes of the package's dist/word-vectors.bin: wordEmbedder({ bytes }).",
  "wrong-answer": "Check that it is a model for embeddings, and the number of dimensions that was given for it.",
};

/** An embedder has no vectors to give. */
export class EmbedderError extends ThroughlineError {
  readonly problem: EmbedderProblem;

  constructor(problem: EmbedderProblem, message: string, options?: { cause?: unknown }) {
    super("embedder", message, HINTS[problem], options);
    this.problem = problem;
  }
}
