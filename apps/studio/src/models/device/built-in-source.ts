import { modelCopy, modelErrors } from "../../copy/models.ts";
import type { ModelChoice, ModelSource, Opening, OpenModel } from "../chat-model.ts";
import { ModelError, reasonOf } from "../model-error.ts";
import {
  BUILT_IN_MODEL_ID,
  PROMPT_LANGUAGES,
  type PromptApi,
  type PromptAvailability,
  type PromptSession,
  promptApiModel,
} from "./prompt-api.ts";

const BUILT_IN = "built-in";
const { label: LABEL, ...copy } = modelCopy.builtIn;
const { builtIn: errors } = modelErrors;
/** Context limit of the smallest built-in models, if the browser reports none. */
const UNKNOWN_LIMIT = 4_096;

/** The model that comes with some browsers. */
export class BuiltInSource implements ModelSource {
  readonly #api: PromptApi | undefined;
  #availability: PromptAvailability = "unavailable";
  #hasLooked = false;

  constructor(api: PromptApi | undefined) {
    this.#api = api;
  }

  owns(choiceId: string): boolean {
    return choiceId === BUILT_IN;
  }

  choices(): readonly ModelChoice[] {
    const unavailable = this.#unavailable();
    return [
      {
        id: BUILT_IN,
        label: LABEL,
        place: "device",
        detail: copy.details[this.#availability],
        ...(unavailable !== undefined && { unavailable }),
      },
    ];
  }

  async look(): Promise<void> {
    try {
      this.#availability = (await this.#api?.availability(PROMPT_LANGUAGES)) ?? "unavailable";
    } catch {
      this.#availability = "unavailable";
    }
    this.#hasLooked = true;
  }

  async opensQuietly(): Promise<boolean> {
    return this.#availability === "available";
  }

  async open(choiceId: string, opening: Opening): Promise<OpenModel> {
    const api = this.#api;
    if (!this.#hasLooked) await this.look();
    const unavailable = this.#unavailable();
    if (api === undefined || unavailable !== undefined) throw new ModelError("unavailable", unavailable ?? "");
    // Stays open while the model is selected, so that the browser keeps it loaded.
    const session = await createSession(api, opening);
    this.#availability = "available";
    const disposal = new AbortController();
    const { withModelErrors } = await import("../with-model-errors.ts");
    return {
      model: {
        choiceId,
        modelId: BUILT_IN_MODEL_ID,
        label: LABEL,
        contextLimit: limitOf(session),
        place: "device",
        languageModel: withModelErrors(promptApiModel(api), { explain: explainAnswering, disposed: disposal.signal }),
      },
      close: () => {
        disposal.abort(new ModelError("closed", modelErrors.closed(LABEL)));
        session.destroy();
      },
    };
  }

  #unavailable(): string | undefined {
    if (this.#api === undefined) return copy.notIncluded;
    if (this.#hasLooked && this.#availability === "unavailable") {
      return copy.notSupported;
    }
    return undefined;
  }
}

async function createSession(api: PromptApi, { signal, onProgress }: Opening): Promise<PromptSession> {
  onProgress({ text: copy.starting });
  try {
    return await api.create({
      ...PROMPT_LANGUAGES,
      signal,
      monitor: (monitor) =>
        monitor.addEventListener("downloadprogress", (event) => {
          const { loaded } = event as ProgressEvent;
          // Fully downloaded, but not yet unpacked.
          if (loaded >= 1) onProgress({ text: modelCopy.opening });
          else onProgress({ progress: loaded, text: copy.downloading });
        }),
    });
  } catch (error) {
    throw signal.aborted ? signal.reason : explainOpening(error);
  }
}

function limitOf({ contextWindow, inputQuota }: PromptSession): number {
  const limit = contextWindow ?? inputQuota;
  return limit !== undefined && Number.isFinite(limit) && limit > 0 ? Math.floor(limit) : UNKNOWN_LIMIT;
}

function explainOpening(error: unknown): ModelError {
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError") {
    return new ModelError("not-allowed", errors.notAllowed);
  }
  if (name === "NetworkError") {
    return new ModelError("unreachable", errors.interrupted);
  }
  return new ModelError("failed", errors.notOpened(reasonOf(error)));
}

function explainAnswering(error: unknown): ModelError {
  const name = error instanceof Error ? error.name : "";
  if (name === "QuotaExceededError") {
    return new ModelError("too-long", modelErrors.tooLong(errors.label));
  }
  if (name === "NotSupportedError") {
    return new ModelError("failed", errors.unsupported);
  }
  return new ModelError("failed", errors.noReply(reasonOf(error)));
}
