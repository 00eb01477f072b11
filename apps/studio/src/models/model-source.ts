import type { ChatModel, ModelChoice, ModelLoading } from "./chat-model.ts";
import type { ModelError } from "./model-error.ts";

/** Where models come from: the browser's own, a library's, an address. */
export interface ModelSource {
  owns(choiceId: string): boolean;
  /** The choices that are known so far. */
  choices(): readonly ModelChoice[];
  /** Finds out what is there. Never rejects: what is not there is shown so. */
  look(): Promise<void>;
  /** Rejects with a `ModelError`, or with the signal's reason when it is aborted. */
  open(choiceId: string, opening: Opening): Promise<OpenModel>;
  /** Returns if opening it downloads nothing and sends nothing. */
  opensQuietly(choiceId: string): Promise<boolean>;
}

export interface Opening {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Pick<ModelLoading, "progress" | "text">) => void;
  /** The model broke down after it was open, and cannot be used any more. */
  readonly onLost: (error: ModelError) => void;
}

export interface OpenModel {
  readonly model: ChatModel;
  close(): void;
}
