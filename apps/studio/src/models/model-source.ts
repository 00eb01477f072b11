import type { ChatModel, ModelChoice, ModelLoading } from "./chat-model.ts";
import type { ModelError } from "./model-error.ts";

/** A source of models: the browser, a library or an endpoint. */
export interface ModelSource {
  owns(choiceId: string): boolean;
  /** The models found so far. */
  choices(): readonly ModelChoice[];
  /** Detects the models. Never rejects: a failed source is shown as unavailable. */
  look(): Promise<void>;
  /** Rejects with a `ModelError`, or with the signal's reason if it is aborted. */
  open(choiceId: string, opening: Opening): Promise<OpenModel>;
  /** True if opening it downloads nothing and sends nothing. */
  opensQuietly(choiceId: string): Promise<boolean>;
}

export interface Opening {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Pick<ModelLoading, "progress" | "text">) => void;
  /** The open model failed and can no longer be used. */
  readonly onLost: (error: ModelError) => void;
}

export interface OpenModel {
  readonly model: ChatModel;
  close(): void;
}
