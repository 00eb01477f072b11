import type { ModelProblem } from "../errors/model-errors.ts";

/** A request to a `Model`. */
export interface ModelRequest {
  /** System prompt. */
  readonly system: string;
  /** User message. */
  readonly prompt: string;
  /** Maximum tokens of the reply. */
  readonly maxOutputTokens: number;
  /** Sampling temperature. Default: that of the model. */
  readonly temperature?: number;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** The reply of a `Model`. */
export interface ModelReply {
  /** Text of the reply; empty if there is none. */
  readonly text: string;
  /** True if the model requested tools. */
  readonly hasToolCalls?: boolean;
  /** True if the reply ended at `maxOutputTokens`. */
  readonly isCut?: boolean;
}

/** The outcome of one request to a `Model`. */
export interface ModelCall {
  /** The work, such as `facts` or `summary`. */
  readonly task: string;
  /**
   * `answered`: the reply was used. `failed`: no reply, or an unusable one. `skipped`: not sent, because the model
   * failed several times in a row, or because earlier requests left too little time.
   */
  readonly outcome: "answered" | "failed" | "skipped";
  /**
   * Why the reply was not used. Contains no secrets, but may contain text of the endpoint, which may quote the
   * conversation.
   */
  readonly failure?: string;
  /** Kind of the failure. */
  readonly problem?: ModelProblem;
  /** HTTP status of the failure, if there was one. */
  readonly status?: number;
  /** Duration in milliseconds, retries included. */
  readonly duration: number;
}

/**
 * Generates text: summaries and facts. Implement it to use a model that is not one of the AI SDK. Everything also works
 * without a model.
 *
 * @example
 * const model: Model = {
 *   modelId: "my-model",
 *   async generate({ system, prompt, signal = null }) {
 *     const body = JSON.stringify({ system, prompt });
 *     const reply = await fetch("http://127.0.0.1:8080/generate", { method: "POST", body, signal });
 *     return { text: await reply.text() };
 *   },
 * };
 * const tl = await createThroughline({ model });
 */
export interface Model {
  /** Id of the model, for its context limit and tokenizer. */
  readonly modelId: string;
  /** Context window in tokens. Default: by model id. */
  readonly contextLimit?: number;
  /**
   * Generates a reply. A rejection is logged, and the work goes on with rules.
   *
   * @param request Prompt, limits and abort signal.
   */
  generate(request: ModelRequest): Promise<ModelReply>;
  /**
   * Called after each request with its outcome, for statistics. Requests that a caller aborted are not reported.
   *
   * @param call Task, outcome and duration.
   */
  onCall?(call: ModelCall): void;
}

/** Counts the tokens of a text. */
export interface Counter {
  /** Name of the counter. Counts of different counters are not comparable. */
  readonly name: string;
  /** True if the count is the model's own, not an estimate with a margin. */
  readonly exact: boolean;
  /** Factor that the counts include; 1 if they are exact. */
  readonly margin: number;
  /**
   * Returns the number of tokens.
   *
   * @param text Text to count; may be empty.
   */
  count(text: string): number;
  /**
   * Same count, with pauses in which other tasks can run. Optional.
   *
   * @param text Text to count; may be long.
   */
  countYielding?(text: string): Promise<number>;
}
