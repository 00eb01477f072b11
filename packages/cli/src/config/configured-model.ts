import { type Embedder, InvalidOptionError, type Model, openAiCompatibleModel } from "throughline";
import { firstListedModel } from "throughline/internal/engine";
import { omitUndefined, readServer } from "throughline/internal/util";
import { openAiCompatibleEmbedder } from "throughline/memory";
import { UsageError } from "../usage-error.ts";
import { SETTINGS, type SettingName, type SettingValues } from "./settings.ts";

/**
 * The model of the settings: `model` of `model_url`, or the first one that `model_url` lists. Nothing is sent before it
 * is asked.
 *
 * @returns `undefined` if no URL is set.
 * @throws UsageError if a setting is invalid.
 */
export function configuredModel({ model_url: url, model_key: key, model }: SettingValues): Model | undefined {
  if (url === undefined) return undefined;
  return checked(["model_url", "model_key"], url, () =>
    openAiCompatibleModel(omitUndefined({ baseUrl: url, apiKey: key, model })),
  );
}

/**
 * The embedder of the settings.
 *
 * @returns `undefined` if none is set: the default is the one that ships with the package.
 * @throws UsageError if a setting is invalid.
 */
export function configuredEmbedder(settings: SettingValues): Embedder | undefined {
  refuseWithout(settings, "embedder_url", ["embedder_key", "embedder_model"]);
  refuseWithout(settings, "embedder_model", ["embedder_url"]);
  const { embedder_url: url, embedder_key: key, embedder_model: model } = settings;
  if (url === undefined || model === undefined) return undefined;
  return checked(["embedder_url", "embedder_key"], url, () =>
    openAiCompatibleEmbedder(omitUndefined({ baseUrl: url, apiKey: key, model })),
  );
}

/** Names the settings instead of the option of the library. Their values may contain secrets and are not repeated. */
function checked<T>([urlName, keyName]: readonly [SettingName, SettingName], url: string, create: () => T): T {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof InvalidOptionError)) throw error;
    const [name, expected] = isServerUrl(url)
      ? [keyName, "visible ASCII characters without spaces"]
      : [urlName, "a URL such as http://127.0.0.1:11434/v1, without a password"];
    throw new UsageError(
      `Invalid ${name}: expected ${expected}.`,
      `Set ${SETTINGS[name].variable}. \`throughline config\` shows where the value comes from.`,
    );
  }
}

function isServerUrl(baseUrl: string): boolean {
  try {
    readServer("models", { baseUrl });
    return true;
  } catch (error) {
    if (!(error instanceof InvalidOptionError)) throw error;
    return false;
  }
}

/** Milliseconds to wait for the list of models. */
const LIST_TIME_LIMIT = 5_000;

/**
 * The name of the model that is used: the configured one, or the first that the endpoint lists.
 *
 * @throws ModelError if the endpoint does not answer.
 */
export async function findModelName(
  { model_url: url = "", model_key: key, model }: SettingValues,
  signal?: AbortSignal,
): Promise<string> {
  if (model !== undefined) return model;
  const server = readServer("models", omitUndefined({ baseUrl: url, apiKey: key, maxRetries: 0 }));
  return firstListedModel(server, {
    signal: AbortSignal.any([AbortSignal.timeout(LIST_TIME_LIMIT), ...(signal === undefined ? [] : [signal])]),
    until: Date.now() + LIST_TIME_LIMIT,
  });
}

/** The address of an endpoint for messages: URLs may contain keys in their query. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "the configured URL";
}

/** Refuses settings that have no effect without another one. */
export function refuseWithout(settings: SettingValues, needed: SettingName, others: readonly SettingName[]): void {
  const given = others.find((name) => settings[name] !== undefined);
  if (given === undefined || settings[needed] !== undefined) return;
  const [named, missing] = [SETTINGS[given].variable, SETTINGS[needed].variable];
  throw new UsageError(`${named} is set, but ${missing} is not.`, "Set both, or unset the other one.");
}
