import type { LanguageModel } from "ai";
import type { ModelError } from "./model-error.ts";

/** A model of the AI SDK, not merely its name. */
export type LoadedModel = Exclude<LanguageModel, string>;

/** A model with the interface of the current AI SDK. */
export type CurrentModel = Extract<LoadedModel, { readonly specificationVersion: "v4" }>;

/** A model that can answer now. */
export interface ChatModel {
  /** Id of the choice: `web-llm:Qwen2.5-0.5B`, `endpoint:3`, `server`, `built-in`. */
  readonly choiceId: string;
  /** The provider's name of the model, which selects the token counter. */
  readonly modelId: string;
  readonly label: string;
  readonly contextLimit: number;
  /** Destination of messages. */
  readonly place: "device" | "server" | "remote";
  /** Host that messages are sent to, if they leave the device. */
  readonly host?: string;
  readonly languageModel: LoadedModel;
}

/** A model that a person may pick. */
export interface ModelChoice {
  readonly id: string;
  readonly label: string;
  readonly place: ChatModel["place"];
  readonly host?: string;
  /** One short sentence: size of the download, destination of messages. */
  readonly detail: string;
  /** Reason for a person why the model cannot be selected here and now; `undefined` if it can. */
  readonly unavailable?: string;
}

/** A model that is being downloaded or opened. */
export interface ModelLoading {
  readonly choiceId: string;
  readonly label: string;
  /** From 0 to 1; absent if unknown. */
  readonly progress?: number;
  readonly text: string;
}

export interface ModelState {
  readonly choices: readonly ModelChoice[];
  readonly current?: ChatModel;
  readonly loading?: ModelLoading;
  /** Problem of the last choice: what happened, what is safe, what to do. */
  readonly problem?: string;
}

/** An endpoint with OpenAI's wire format: Ollama, LM Studio, OpenRouter. The key stays on the device. */
export interface Endpoint {
  readonly id: string;
  readonly label: string;
  readonly baseUrl: string;
  readonly modelId: string;
  readonly apiKey?: string;
  /** Context limit that the user entered. */
  readonly contextLimit?: number;
  /** Value that the endpoint reported in its list of models. */
  readonly saidLimit?: number;
}

/** An endpoint for display: of its key only the end, to distinguish it from others. */
export interface SavedEndpoint extends Omit<Endpoint, "apiKey"> {
  readonly hasKey: boolean;
  readonly keyEnd?: string;
}

/**
 * An endpoint as a person enters it. Without `apiKey` the saved one stays, as long as the address is the same;
 * an empty one is deleted.
 */
export interface EnteredEndpoint extends Omit<Endpoint, "id" | "saidLimit"> {
  readonly id?: string;
}

/** The available models and the current one. */
export interface ModelManager {
  subscribe(listener: () => void): () => void;
  getSnapshot(): ModelState;
  /** Detects the models again: downloads, the model of the server, and endpoints saved by other tabs. */
  look(): Promise<void>;
  /**
   * Opens a model; `undefined` closes the current one. The choice is stored. Never rejects: an error becomes the
   * state's `problem`.
   */
  choose(choiceId: string | undefined): Promise<void>;
  /** Stops a download or an opening; the current model stays. */
  cancel(): void;
  /** The saved endpoints of this device. */
  endpoints(): readonly SavedEndpoint[];
  /** Rejects with a message for the person if the address is invalid. */
  saveEndpoint(endpoint: EnteredEndpoint): Promise<SavedEndpoint>;
  removeEndpoint(id: string): Promise<void>;
  /**
   * Lists the models of an endpoint. Rejects with a message for the person. With the `id` of a saved endpoint, its key
   * is used if none is entered.
   */
  listModels(endpoint: {
    readonly baseUrl: string;
    readonly apiKey?: string;
    readonly id?: string;
  }): Promise<readonly string[]>;
}

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
