export interface ModelRequest {
  readonly system: string;
  readonly prompt: string;
  readonly maxOutputTokens: number;
  readonly temperature?: number;
  readonly signal?: AbortSignal;
}

export interface ModelReply {
  readonly text: string;
  /** Whether the model asked for tools instead of, or beside, writing. */
  readonly hasToolCalls?: boolean;
}

/** Writes text: summaries now, extractions later. Nothing that is promised depends on it. */
export interface Model {
  readonly modelId: string;
  /** Tokens that it takes at the most; known from its id where it is not given. */
  readonly contextLimit?: number;
  generate(request: ModelRequest): Promise<ModelReply>;
}
