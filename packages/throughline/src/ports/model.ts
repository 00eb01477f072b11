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
}
