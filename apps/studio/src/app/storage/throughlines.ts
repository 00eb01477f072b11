import { createThroughline, type Store, type Throughline, type ThroughlineOptions } from "throughline";
import type { ModelManager } from "../../models/chat-model.ts";

type Settings = Pick<ThroughlineOptions, "clock" | "userId">;

/** A Throughline over one store that summarizes and reads with the model that is in use. */
export class ModelThroughline {
  readonly #options: ThroughlineOptions;
  readonly #models: ModelManager;
  #choiceId: string | undefined;
  #current: Throughline;

  private constructor(current: Throughline, options: ThroughlineOptions, models: ModelManager) {
    this.#current = current;
    this.#options = options;
    this.#models = models;
  }

  /** Opens it, and follows the choice of a model from then on. */
  static async open(store: Store, settings: Settings, models: ModelManager): Promise<ModelThroughline> {
    const options = { ...settings, store };
    const opened = new ModelThroughline(await createThroughline(options), options, models);
    models.subscribe(() => void opened.#follow());
    await opened.#follow();
    return opened;
  }

  get current(): Throughline {
    return this.#current;
  }

  async #follow(): Promise<void> {
    const chosen = this.#models.getSnapshot().current;
    if (chosen?.choiceId === this.#choiceId) return;
    this.#choiceId = chosen?.choiceId;
    const model = chosen?.languageModel;
    const next = await createThroughline({ ...this.#options, ...(model !== undefined && { model }) });
    // Another choice may have come first.
    if (this.#choiceId === chosen?.choiceId) this.#current = next;
  }
}
