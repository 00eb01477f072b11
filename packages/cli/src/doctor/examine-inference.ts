import { EmbedderError, ModelError, wordEmbedder } from "throughline";
import { listModels } from "throughline/internal/engine";
import { omitUndefined, readServer } from "throughline/internal/util";
import { readSettings } from "../config/read-settings.ts";
import type { SettingValues } from "../config/settings.ts";
import { configuredEmbedder, configuredModel, findModelName, hostOf, refuseWithout } from "../data/inference.ts";
import { UsageError } from "../usage-error.ts";

/** A configured endpoint. */
export interface Endpoint {
  /** Name of the model; `null` if the endpoint does not name it. */
  readonly name: string | null;
  readonly host: string;
  /** Why it does not answer; `null` if it does. */
  readonly failure: string | null;
}

export interface InferenceFindings {
  /** `null` if none is configured. */
  readonly model: Endpoint | null;
  readonly embedder: Endpoint | null;
  /** Name of the embedder that search uses. */
  readonly embedderName: string;
  readonly problems: readonly string[];
}

/** Milliseconds to wait for an endpoint. */
const TIME_LIMIT = 5_000;

/** Asks the configured endpoints whether they answer: the model for its list, the embedder for one vector. */
export async function examineInference(): Promise<InferenceFindings> {
  const nothing = { model: null, embedder: null, embedderName: wordEmbedder().name };
  try {
    const settings = readSettings();
    refuseWithout(settings, "model_url", ["model_key", "model"]);
    const embedderName = configuredEmbedder(settings)?.name ?? nothing.embedderName;
    const [model, embedder] = await Promise.all([examineModel(settings), examineEmbedder(settings)]);
    return {
      model,
      embedder,
      embedderName,
      problems: [...problemOf(model, "model"), ...problemOf(embedder, "embedder")],
    };
  } catch (error) {
    // An invalid setting is a finding, not a failure of the doctor.
    if (error instanceof UsageError) return { ...nothing, problems: [`${error.message} ${error.advice}`] };
    throw error;
  }
}

async function examineModel(settings: SettingValues): Promise<Endpoint | null> {
  const { model_url: url, model_key: key, model = null } = settings;
  if (url === undefined || configuredModel(settings) === undefined) return null;
  try {
    const server = readServer("models", omitUndefined({ baseUrl: url, apiKey: key, maxRetries: 0 }));
    if (model === null) return { name: await findModelName(settings), host: hostOf(url), failure: null };
    await listModels(server, { signal: AbortSignal.timeout(TIME_LIMIT), until: Date.now() + TIME_LIMIT });
    return { name: model, host: hostOf(url), failure: null };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    // Some servers have models and no list of them.
    const answers = model !== null && (error.status === 404 || error.status === 405);
    return { name: model, host: hostOf(url), failure: answers ? null : withoutPeriod(error.summary) };
  }
}

async function examineEmbedder(settings: SettingValues): Promise<Endpoint | null> {
  const embedder = configuredEmbedder(settings);
  const { embedder_url: url = "", embedder_model: name = null } = settings;
  if (embedder === undefined) return null;
  try {
    await embedder.embed(["vector"], "query", AbortSignal.timeout(TIME_LIMIT));
    return { name, host: hostOf(url), failure: null };
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
    if (!isTimeout && !(error instanceof EmbedderError)) throw error;
    const failure = isTimeout
      ? `The embedder at ${hostOf(url)} did not answer in ${TIME_LIMIT / 1_000} s`
      : withoutPeriod((error as EmbedderError).summary);
    return { name, host: hostOf(url), failure };
  }
}

const CONSEQUENCES = {
  model:
    "Rules extract facts and write summaries until it answers. Check THROUGHLINE_MODEL_URL and THROUGHLINE_MODEL_KEY.",
  embedder: "Search uses words only until it answers. Check THROUGHLINE_EMBEDDER_URL and THROUGHLINE_EMBEDDER_KEY.",
} as const;

function problemOf(endpoint: Endpoint | null, part: keyof typeof CONSEQUENCES): string[] {
  if (endpoint === null || endpoint.failure === null) return [];
  return [`${endpoint.failure}. ${CONSEQUENCES[part]}`];
}

function withoutPeriod(text: string): string {
  return text.replace(/\.$/, "");
}
