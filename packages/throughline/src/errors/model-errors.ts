import { ThroughlineError } from "./throughline-error.ts";

/** Reason why a model failed. Stable: callers may switch on it. */
export type ModelProblem =
  | "failed"
  | "key-refused"
  | "overloaded"
  | "paused"
  | "redirected"
  | "refused"
  | "stopped"
  | "timed-out"
  | "too-large"
  | "unreachable"
  | "unusable"
  | "wrong-answer";

const MODEL_HINTS: Readonly<Record<ModelProblem, string>> = {
  failed: "Check the provider's error and the configured model.",
  "key-refused": "Check the API key and its access to this model.",
  overloaded: "Retry later or send fewer requests.",
  paused: "Fix the failure that the log names; the model is asked again after the pause.",
  redirected: "Set `baseUrl` to the target of the redirect.",
  refused: "Change what the server reports, e.g. the model name or the prompt length.",
  stopped: "The caller stopped the request; repeat it if you still need the answer.",
  "timed-out": "Raise the option `timeLimit` (milliseconds).",
  "too-large": "Check that `baseUrl` is the URL of a model server.",
  unreachable: "Check that the server is running and that `baseUrl` is right.",
  unusable: "Use another model, or none: rules are the fallback.",
  "wrong-answer": "Check that `baseUrl` is an OpenAI-compatible API; it usually ends in /v1.",
};

export function isModelProblem(name: string | undefined): name is ModelProblem {
  return name !== undefined && Object.hasOwn(MODEL_HINTS, name);
}

/**
 * A model gave no usable answer. Only `openAiCompatibleModel` throws it to callers: compaction and extraction go on
 * with rules instead. Messages never contain API keys.
 *
 * @example
 * const local = openAiCompatibleModel({ baseUrl: "http://127.0.0.1:11434/v1", model: "llama3.2" });
 * try {
 *   await local.generate({ system: "Be brief.", prompt: "Hello", maxOutputTokens: 50 });
 * } catch (error) {
 *   if (error instanceof ModelError && error.problem === "unreachable") console.error(error.hint);
 * }
 */
export class ModelError extends ThroughlineError {
  /** Reason of the failure, to switch on. */
  readonly problem: ModelProblem;
  /** HTTP status of the response, if there was one. */
  readonly status?: number;

  constructor(problem: ModelProblem, message: string, status?: number) {
    super("model", message, MODEL_HINTS[problem]);
    this.problem = problem;
    if (status !== undefined) this.status = status;
  }
}

/** Reason why an embedder failed. Stable: callers may switch on it. */
export type EmbedderProblem = "failed" | "missing-package" | "missing-words" | "wrong-answer";

const EMBEDDER_HINTS: Readonly<Record<EmbedderProblem, string>> = {
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
    super("embedder", message, EMBEDDER_HINTS[problem], options);
    this.problem = problem;
  }
}

/** Problem with a tape or a replayed request. Stable: callers may switch on it. */
export type TapeProblem = "not-a-tape" | "not-recorded" | "other-model";

const TAPE_HINTS: Readonly<Record<TapeProblem, string>> = {
  "not-a-tape": "Pass the parsed JSON of a recorded tape, or record it again.",
  "not-recorded": "Record the tape again, or send the recorded request.",
  "other-model": "Use one tape per model.",
};

/**
 * A tape has no reply to a request, is for another model, or is no tape.
 *
 * @example
 * try {
 *   replayingModel(JSON.parse(await readFile("tape.json", "utf8")));
 * } catch (error) {
 *   if (error instanceof TapeError) console.error(error.problem);
 * }
 */
export class TapeError extends ThroughlineError {
  /** Reason of the failure, to switch on. */
  readonly problem: TapeProblem;

  constructor(problem: TapeProblem, message: string) {
    super("tape", message, TAPE_HINTS[problem]);
    this.problem = problem;
  }
}

const HINT =
  "Await createThroughline() or loadTokenRanks() first. If the runtime can neither read nor fetch dist/token-ranks.bin, pass its content: await loadTokenRanks(bytes).";

/**
 * Tokens cannot be counted because the token ranks are not loaded. Happens only where the package's files cannot be
 * read synchronously, as in browsers and edge runtimes.
 *
 * @example
 * try {
 *   countTokens("Hello");
 * } catch (error) {
 *   if (error instanceof TokenRanksError) await loadTokenRanks();
 * }
 */
export class TokenRanksError extends ThroughlineError {
  constructor(problem: string, options?: { cause?: unknown }) {
    super("token-ranks", problem, HINT, options);
  }
}
