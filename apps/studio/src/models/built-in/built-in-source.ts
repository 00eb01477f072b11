import type { ModelChoice } from "../chat-model.ts";
import { ModelError, reasonOf } from "../model-error.ts";
import type { ModelSource, Opening, OpenModel } from "../model-source.ts";
import { PROMPT_LANGUAGES, type PromptApi, type PromptAvailability, type PromptSession } from "./prompt-api.ts";
import { BUILT_IN_MODEL_ID, promptApiModel } from "./prompt-api-model.ts";

const BUILT_IN = "built-in";
const LABEL = "Built-in browser model";
const SAFE = "Your conversation is unchanged.";
/** Where the browser does not say: what the smallest of them take. */
const UNKNOWN_LIMIT = 4_096;

const DETAILS: Readonly<Record<PromptAvailability, string>> = {
  available: "Comes with your browser. Stays on this device",
  downloadable: "Your browser downloads it once, some GB. Stays on this device",
  downloading: "Your browser is downloading it. Stays on this device",
  unavailable: "Comes with some browsers. Stays on this device",
};

/** The model that comes with the browser, where one does. */
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
        detail: DETAILS[this.#availability],
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
    // Kept for as long as it is chosen: the browser then keeps the model at hand.
    const session = await createSession(api, opening);
    this.#availability = "available";
    const gone = new AbortController();
    const { speakPlainly } = await import("../speak-plainly.ts");
    return {
      model: {
        choiceId,
        modelId: BUILT_IN_MODEL_ID,
        label: LABEL,
        contextLimit: limitOf(session),
        place: "device",
        languageModel: speakPlainly(promptApiModel(api), { explain: explainAnswering, gone: gone.signal }),
      },
      close: () => {
        gone.abort(new ModelError("put-away", `${LABEL} was closed before it replied. Try again.`));
        session.destroy();
      },
    };
  }

  #unavailable(): string | undefined {
    if (this.#api === undefined) return "Not included in this browser. Try Chrome or Edge on a computer.";
    if (this.#hasLooked && this.#availability === "unavailable") {
      return "Not supported on this device. It may need more space, memory or a graphics card.";
    }
    return undefined;
  }
}

async function createSession(api: PromptApi, { signal, onProgress }: Opening): Promise<PromptSession> {
  onProgress({ text: "Starting" });
  try {
    return await api.create({
      ...PROMPT_LANGUAGES,
      signal,
      monitor: (monitor) =>
        monitor.addEventListener("downloadprogress", (event) => {
          const { loaded } = event as ProgressEvent;
          // All of it is there, but not yet unpacked.
          if (loaded >= 1) onProgress({ text: "Opening" });
          else onProgress({ progress: loaded, text: "Your browser is downloading it" });
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
    return new ModelError(
      "not-allowed",
      `Your browser didn't allow its model here. ${SAFE} Choose it again with a click.`,
    );
  }
  if (name === "NetworkError") {
    return new ModelError(
      "unreachable",
      `The download of your browser's model was interrupted. ${SAFE} Check your connection and choose it again.`,
    );
  }
  return new ModelError(
    "failed",
    `Your browser couldn't open its model: ${reasonOf(error)} ${SAFE} Try again later, or choose another one.`,
  );
}

function explainAnswering(error: unknown): ModelError {
  const name = error instanceof Error ? error.name : "";
  if (name === "QuotaExceededError") {
    return new ModelError(
      "too-long",
      `This conversation is too long for your browser's model. ${SAFE} Start a new one, or choose a larger model.`,
    );
  }
  if (name === "NotSupportedError") {
    return new ModelError(
      "failed",
      `Your browser's model can't reply in this language or format. ${SAFE} Choose another model.`,
    );
  }
  return new ModelError("failed", `Your browser's model couldn't reply: ${reasonOf(error)} ${SAFE} Try again.`);
}
