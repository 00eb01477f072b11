import { Notifier } from "../app/notifier.ts";
import { modelCopy, modelErrors } from "../copy/models.ts";
import type {
  ChatModel,
  EnteredEndpoint,
  ModelLoading,
  ModelManager,
  ModelSource,
  ModelState,
  OpenModel,
  SavedEndpoint,
} from "./chat-model.ts";
import type { EndpointSource } from "./endpoint/endpoint-source.ts";
import { ModelError, reasonOf } from "./model-error.ts";
import type { ModelSettings } from "./model-settings.ts";

export interface ModelManagerDeps {
  readonly sources: readonly ModelSource[];
  readonly endpoints: EndpointSource;
  readonly settings: ModelSettings;
}

/** Manages the current model and the one that is being opened. The sources do everything else. */
export class OpenModelManager extends Notifier<ModelState> implements ModelManager {
  readonly #parts: ModelManagerDeps;
  #open: OpenModel | undefined;
  #loading: { readonly state: ModelLoading; readonly stop: AbortController } | undefined;
  #problem: string | undefined;

  constructor(parts: ModelManagerDeps) {
    super({ choices: parts.sources.flatMap((source) => source.choices()) });
    this.#parts = parts;
  }

  /** Detects models and reopens the last choice, unless the person has chosen already. */
  async start(): Promise<void> {
    const { settings } = this.#parts;
    const choiceId = settings.choice();
    const endedIn = settings.opening();
    settings.saveOpening(undefined);
    await this.look();
    if (choiceId === undefined || this.#open !== undefined || this.#loading !== undefined) return;
    // The model may have crashed the page. The person can try again.
    if (choiceId === endedIn || !(await this.#source(choiceId)?.opensQuietly(choiceId))) return;
    await this.choose(choiceId);
  }

  async look(): Promise<void> {
    await Promise.all(
      this.#parts.sources.map(async (source) => {
        await source.look();
        this.#publish();
      }),
    );
  }

  async choose(choiceId: string | undefined): Promise<void> {
    if (choiceId !== undefined && choiceId === this.#loading?.state.choiceId) return;
    this.#loading?.stop.abort();
    this.#loading = undefined;
    this.#problem = undefined;
    if (choiceId === undefined) return this.#unload();
    if (choiceId !== this.#open?.model.choiceId) await this.#load(choiceId);
    else this.#publish();
  }

  cancel(): void {
    this.#loading?.stop.abort();
    this.#loading = undefined;
    this.#parts.settings.saveOpening(undefined);
    this.#publish();
  }

  /** Stores the model that is being opened as the choice: a reload did not fail because of it. */
  leave(): void {
    const { settings } = this.#parts;
    if (this.#loading === undefined) return;
    settings.saveChoice(this.#loading.state.choiceId);
    settings.saveOpening(undefined);
  }

  endpoints(): readonly SavedEndpoint[] {
    return this.#parts.endpoints.endpoints();
  }

  async saveEndpoint(entered: EnteredEndpoint): Promise<SavedEndpoint> {
    const { endpoint, isKept } = this.#parts.endpoints.save(entered);
    const choiceId = `endpoint:${endpoint.id}`;
    // Changes apply from the next message on.
    if (this.#open?.model.choiceId === choiceId) this.#open = await this.#parts.endpoints.open(choiceId);
    if (!isKept) this.#problem = modelCopy.endpoint.notSaved;
    this.#publish();
    return endpoint;
  }

  async removeEndpoint(id: string): Promise<void> {
    this.#parts.endpoints.remove(id);
    if (this.#open?.model.choiceId === `endpoint:${id}`) this.#unload();
    else this.#publish();
  }

  async listModels(entered: Parameters<ModelManager["listModels"]>[0]): Promise<readonly string[]> {
    return this.#parts.endpoints.listModels(entered);
  }

  async #load(choiceId: string): Promise<void> {
    const { settings } = this.#parts;
    const stop = new AbortController();
    const label = this.getSnapshot().choices.find(({ id }) => id === choiceId)?.label ?? modelCopy.unnamed;
    const isCurrent = () => this.#loading?.stop === stop;
    this.#loading = { state: { choiceId, label, text: modelCopy.opening }, stop };
    this.#publish();
    settings.saveOpening(choiceId);
    try {
      const opened = await this.#openFrom(choiceId, stop, label);
      if (!isCurrent()) return opened.close();
      this.#open?.close();
      this.#open = opened;
      settings.saveChoice(choiceId);
    } catch (error) {
      if (!isCurrent()) return;
      this.#problem = ModelError.isInstance(error) ? error.message : modelErrors.notOpened(label, reasonOf(error));
    }
    settings.saveOpening(undefined);
    this.#loading = undefined;
    this.#publish();
  }

  async #openFrom(choiceId: string, stop: AbortController, label: string): Promise<OpenModel> {
    const source = this.#source(choiceId);
    if (source === undefined) throw new ModelError("unavailable", modelErrors.gone);
    return source.open(choiceId, {
      signal: stop.signal,
      onProgress: (progress) => {
        if (this.#loading?.stop !== stop) return;
        this.#loading = { state: { choiceId, label, ...progress }, stop };
        this.#publish();
      },
      onLost: ({ message }) => {
        if (this.#open?.model.choiceId !== choiceId) return;
        this.#open = undefined;
        this.#problem = message;
        this.#publish();
      },
    });
  }

  #unload(): void {
    this.#open?.close();
    this.#open = undefined;
    this.#parts.settings.saveChoice(undefined);
    this.#publish();
  }

  #source(choiceId: string): ModelSource | undefined {
    return this.#parts.sources.find((source) => source.owns(choiceId));
  }

  #publish(): void {
    const current: ChatModel | undefined = this.#open?.model;
    const loading = this.#loading?.state;
    this.replace({
      choices: this.#parts.sources.flatMap((source) => source.choices()),
      ...(current !== undefined && { current }),
      ...(loading !== undefined && { loading }),
      ...(this.#problem !== undefined && { problem: this.#problem }),
    });
  }
}
