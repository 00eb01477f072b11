import process from "node:process";
import { type Embedder, type Model, ModelError, wordEmbedder } from "throughline";
import { CallLog, type DocumentStore, omitUndefined, withCallListener } from "throughline/internal";
import { configuredEmbedder, configuredModel } from "../config/configured-model.ts";
import { readSettings } from "../config/read-settings.ts";
import { count, number } from "../terminal/print-values.ts";
import { printableLine } from "../terminal/printable.ts";

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
