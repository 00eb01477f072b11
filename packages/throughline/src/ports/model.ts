export interface ModelRequest {
  readonly system: string;
  readonly prompt: string;
  readonly maxOutputTokens: number;
  readonly temperature?: number;
  readonly signal?: AbortSignal;
}

export interface ModelReply {
  readonly text: string;
  /** True if the model requested tools. */
  readonly hasToolCalls?: boolean;
}

/** Generates text, e.g. summaries. All features also work without a model. */
export interface Model {
  readonly modelId: string;
  /** Context window in tokens. Default: by model id. */
  readonly contextLimit?: number;
  generate(request: ModelRequest): Promise<ModelReply>;
}
