import process from "node:process";
import {
  type Embedder,
  InvalidOptionError,
  type Model,
  ModelError,
  openAiCompatibleModel,
  wordEmbedder,
} from "throughline";
import { CallLog, firstListedModel, withCallListener } from "throughline/internal/engine";
import type { DocumentStore } from "throughline/internal/sql";
import { omitUndefined, readServer } from "throughline/internal/util";
import { openAiCompatibleEmbedder } from "throughline/memory";
import { readSettings } from "../config/read-settings.ts";
import { SETTINGS, type SettingName, type SettingValues } from "../config/settings.ts";
import { count, number, printableLine } from "../terminal/print-values.ts";
import { UsageError } from "../usage-error.ts";

/** Options for the model. */
export interface InferenceOptions {
  /** Ask no model, even if one is configured. */
  readonly withoutModel?: boolean | undefined;
  /** Another model of the configured endpoint. Not a command-line option. */
  readonly modelName?: string | undefined;
  /** Maximum number of requests to the model. */
  readonly maxModelCalls?: number | undefined;
  /** Report the number of requests to stderr from time to time. Not a command-line option. */
  readonly showsModelCalls?: boolean | undefined;
  /** Do not warn that vectors are of another embedder. Not a command-line option. */
  readonly reembeds?: boolean | undefined;
}

/** Model and embedder of the settings, shared by all instances on a store. */
export interface Inference {
  readonly model?: Model;
  readonly embedder?: Embedder;
  readonly calls: CallLog;
}

/** Creates the configured model and embedder. Sends nothing. */
export function openInference(documents: DocumentStore, options: InferenceOptions): Inference {
  const settings = readSettings();
  const calls = new CallLog(documents);
  const { withoutModel = false, modelName, maxModelCalls, showsModelCalls = false } = options;
  const found = withoutModel ? undefined : configuredModel({ ...settings, ...omitUndefined({ model: modelName }) });
  const limited = found && maxModelCalls !== undefined ? limitCalls(found, maxModelCalls) : found;
  const model = limited && withCallListener(limited, showsModelCalls ? noteAndShow(calls) : calls.note);
  return omitUndefined({ model, embedder: configuredEmbedder(settings), calls });
}

/** Refuses requests beyond a number. The rules do the rest of the work. */
function limitCalls(model: Model, max: number): Model {
  let left = max;
  return {
    get modelId() {
      return model.modelId;
    },
    ...omitUndefined({ contextLimit: model.contextLimit }),
    async generate(request) {
      if (left <= 0) throw new ModelError("paused", `the limit of ${count(max, "request")} is reached`);
      left -= 1;
      return model.generate(request);
    },
  };
}

/** Milliseconds between two reports. */
const REPORT_EVERY = 10_000;

function noteAndShow(calls: CallLog): CallLog["note"] {
  let next = Date.now() + REPORT_EVERY;
  return (call) => {
    calls.note(call);
    if (Date.now() < next) return;
    next = Date.now() + REPORT_EVERY;
    const { answered, failed } = calls.counts;
    process.stderr.write(`Model: ${count(answered + failed, "request")} so far, ${failed} failed.\n`);
  };
}

/** Requests to the model by one command. */
export interface ModelUse {
  readonly model: string;
  readonly answered: number;
  readonly failed: number;
  /** Not sent: the model was paused after failures, or the limit was reached. */
  readonly skipped: number;
  readonly lastFailure: string | null;
}

/** Requests so far; `undefined` if no model is configured. */
export function modelUse({ model, calls }: Inference): ModelUse | undefined {
  if (model === undefined) return undefined;
  return { model: model.modelId, ...calls.counts, lastFailure: calls.lastReason ?? null };
}

/** One line about the requests to the model. */
export function describeModelUse({ model, answered, failed, skipped, lastFailure }: ModelUse): string {
  const sent = `Model ${printableLine(model)}: ${count(answered + failed, "request")}, ${number(failed)} failed`;
  const rest = skipped === 0 ? "" : `, ${number(skipped)} not sent`;
  const rules = failed + skipped === 0 ? "." : "; rules did that work.";
  return `${sent}${rest}${rules}${lastFailure === null ? "" : ` Last failure: ${printableLine(lastFailure)}.`}`;
}

/** Name of the document that names the embedder of the stored vectors, in the space of a user. */
const EMBEDDER = "embedder";

/** The embedder that made the stored vectors. */
export async function storedEmbedder(documents: DocumentStore, space: string): Promise<string> {
  const stored = await documents.get(space, EMBEDDER);
  return typeof stored?.value === "string" ? stored.value : wordEmbedder().name;
}

/** Records the embedder that made the stored vectors. */
export async function recordEmbedder(documents: DocumentStore, space: string, name: string): Promise<void> {
  const stored = await documents.get(space, EMBEDDER);
  if (stored?.value !== name) await documents.put(space, EMBEDDER, { revision: stored?.revision ?? 0, value: name });
}

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
