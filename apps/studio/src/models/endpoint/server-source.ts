import { modelCopy, modelErrors } from "../../copy/models.ts";
import type { ModelChoice, ModelSource, OpenModel } from "../chat-model.ts";
import { ModelError } from "../model-error.ts";
import { askModels, contextLimitOf, guardedFetch, type ListedModel } from "./ask-models.ts";
import type { Timeouts } from "./open-endpoint.ts";

const SERVER = "server";

export interface ServerSourceOptions {
  readonly fetch: typeof fetch;
  /** The address of the page. */
  readonly origin: string;
  readonly timeouts: Timeouts;
}

/** The model that the page's server is configured with, if any. */
export class ServerSource implements ModelSource {
  readonly #options: ServerSourceOptions;
  readonly #fetch: typeof fetch;
  #found: ListedModel | undefined;

  constructor(options: ServerSourceOptions) {
    this.#options = options;
    this.#fetch = guardedFetch(options.fetch, options.origin, "same-origin");
  }

  owns(choiceId: string): boolean {
    return choiceId === SERVER;
  }

  choices(): readonly ModelChoice[] {
    if (this.#found === undefined) return [];
    const { host } = new URL(this.#options.origin);
    const detail = modelCopy.sentTo.server(host);
    return [{ id: SERVER, label: this.#found.id, place: "server", host, detail }];
  }

  async look(): Promise<void> {
    const { timeouts } = this.#options;
    try {
      const models = await askModels({ fetch: this.#fetch, baseUrl: this.#baseUrl, timeoutMs: timeouts.silenceMs });
      this.#found = models[0];
    } catch {
      // Most servers of the page have no model. That is not an error.
      this.#found = undefined;
    }
  }

  async opensQuietly(): Promise<boolean> {
    return this.#found !== undefined;
  }

  async open(choiceId: string): Promise<OpenModel> {
    const found = this.#found;
    if (found === undefined) throw new ModelError("unavailable", modelErrors.noServerModel);
    const { timeouts, origin } = this.#options;
    const { id: modelId } = found;
    const { openEndpoint } = await import("./open-endpoint.ts");
    const languageModel = openEndpoint({ fetch: this.#fetch, baseUrl: this.#baseUrl, modelId, timeouts });
    const { host } = new URL(origin);
    const contextLimit = contextLimitOf(modelId, "server", found.contextLimit);
    return {
      model: { choiceId, modelId, label: modelId, contextLimit, place: "server", host, languageModel },
      close: () => undefined,
    };
  }

  get #baseUrl(): string {
    return `${this.#options.origin}/v1`;
  }
}
