import { modelCopy, modelErrors } from "../../copy/models.ts";
import type { Endpoint, EnteredEndpoint, ModelChoice, ModelSource, OpenModel, SavedEndpoint } from "../chat-model.ts";
import { ModelError } from "../model-error.ts";
import type { ModelSettings } from "../model-settings.ts";
import { isSameServer, locateEndpoint, readAddress } from "./address.ts";
import { askModels, contextLimitOf, guardedFetch } from "./ask-models.ts";
import type { Timeouts } from "./open-endpoint.ts";

const PREFIX = "endpoint:";

export interface EndpointSourceOptions {
  readonly settings: ModelSettings;
  readonly fetch: typeof fetch;
  readonly newId: () => string;
  readonly timeouts: { readonly remote: Timeouts; readonly local: Timeouts };
}

/** Models behind addresses that the person has entered. */
export class EndpointSource implements ModelSource {
  readonly #options: EndpointSourceOptions;
  /** Context limits that endpoints reported, by address and model. */
  readonly #reported = new Map<string, number>();

  constructor(options: EndpointSourceOptions) {
    this.#options = options;
  }

  owns(choiceId: string): boolean {
    return choiceId.startsWith(PREFIX);
  }

  choices(): readonly ModelChoice[] {
    return this.#options.settings.endpoints().map(({ id, label, baseUrl, modelId }) => {
      const { place, host, says: detail } = locateEndpoint(baseUrl, modelId);
      return { id: PREFIX + id, label, place, host, detail: label === modelId ? detail : `${modelId}. ${detail}` };
    });
  }

  async look(): Promise<void> {
    // Sends no request: the first one goes out with the first message.
  }

  async opensQuietly(choiceId: string): Promise<boolean> {
    return this.#find(choiceId) !== undefined;
  }

  async open(choiceId: string): Promise<OpenModel> {
    const endpoint = this.#find(choiceId);
    if (endpoint === undefined) {
      throw new ModelError("unavailable", modelErrors.endpointGone);
    }
    const { label, baseUrl, modelId, apiKey, contextLimit, saidLimit: reportedLimit } = endpoint;
    const { place, host } = locateEndpoint(baseUrl, modelId);
    const { fetch, timeouts } = this.#options;
    const { openEndpoint } = await import("./open-endpoint.ts");
    const languageModel = openEndpoint({
      fetch: guardedFetch(fetch, baseUrl, "omit"),
      baseUrl,
      modelId,
      timeouts: place === "device" ? timeouts.local : timeouts.remote,
      ...(apiKey && { apiKey }),
    });
    const limit = contextLimitOf(modelId, place, contextLimit ?? reportedLimit);
    return {
      model: { choiceId, modelId, label, contextLimit: limit, place, host, languageModel },
      close: () => undefined,
    };
  }

  endpoints(): readonly SavedEndpoint[] {
    return this.#options.settings.endpoints().map(withoutKey);
  }

  /** Saves an endpoint. `isKept` is false if the device cannot store it. */
  save(entered: EnteredEndpoint): { readonly endpoint: SavedEndpoint; readonly isKept: boolean } {
    const { settings, newId } = this.#options;
    const baseUrl = readAddress(entered.baseUrl);
    const modelId = entered.modelId.trim();
    if (modelId === "") throw new ModelError("invalid-address", modelCopy.endpoint.noModelName);
    const others = settings.endpoints().filter(({ id }) => id !== entered.id);
    const apiKey = entered.apiKey?.trim() ?? this.#keyFor(baseUrl, entered.id);
    const { contextLimit } = entered;
    const before = this.#kept(entered.id);
    const isSame = before?.baseUrl === baseUrl && before.modelId === modelId;
    const reportedLimit = this.#reported.get(`${baseUrl}\n${modelId}`) ?? (isSame ? before.saidLimit : undefined);
    const endpoint: Endpoint = {
      id: entered.id ?? newId(),
      label: entered.label.trim() || modelId,
      baseUrl,
      modelId,
      ...(apiKey && { apiKey }),
      ...(contextLimit !== undefined && { contextLimit }),
      ...(reportedLimit !== undefined && { saidLimit: reportedLimit }),
    };
    return { endpoint: withoutKey(endpoint), isKept: settings.saveEndpoints([...others, endpoint]) };
  }

  remove(id: string): void {
    const { settings } = this.#options;
    settings.saveEndpoints(settings.endpoints().filter((endpoint) => endpoint.id !== id));
  }

  async listModels(entered: { baseUrl: string; apiKey?: string; id?: string }): Promise<readonly string[]> {
    const { fetch, timeouts } = this.#options;
    const baseUrl = readAddress(entered.baseUrl);
    const apiKey = entered.apiKey?.trim() ?? this.#keyFor(baseUrl, entered.id);
    const models = await askModels({
      fetch: guardedFetch(fetch, baseUrl, "omit"),
      baseUrl,
      timeoutMs: timeouts.remote.silenceMs,
      ...(apiKey && { apiKey }),
    });
    for (const { id, contextLimit } of models) {
      if (contextLimit !== undefined) this.#reported.set(`${baseUrl}\n${id}`, contextLimit);
    }
    return models.map(({ id }) => id).sort((a, b) => a.localeCompare(b));
  }

  /** A saved key is sent only to the server that it was entered for. */
  #keyFor(baseUrl: string, id: string | undefined): string | undefined {
    const kept = this.#kept(id);
    return kept !== undefined && isSameServer(kept.baseUrl, baseUrl) ? kept.apiKey : undefined;
  }

  #find(choiceId: string): Endpoint | undefined {
    return this.#kept(choiceId.slice(PREFIX.length));
  }

  #kept(id: string | undefined): Endpoint | undefined {
    return this.#options.settings.endpoints().find((endpoint) => endpoint.id === id);
  }
}

function withoutKey({ apiKey, ...rest }: Endpoint): SavedEndpoint {
  // The last characters of a short key would reveal too much.
  const keyEnd = apiKey !== undefined && apiKey.length >= 16 ? apiKey.slice(-4) : undefined;
  return { ...rest, hasKey: apiKey !== undefined, ...(keyEnd !== undefined && { keyEnd }) };
}
