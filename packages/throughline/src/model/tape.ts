import { type OptionRules, TEXTS } from "../errors/check-options.ts";
import { TapeError } from "../errors/model-errors.ts";
import { arrayField, isRecord, type JsonRecord, recordField, stringField } from "../internal/json.ts";
import { hashOf, openMessages } from "./tape-request.ts";

/**
 * Recorded requests and answers of models as plain JSON: write it with `JSON.stringify`, read it with `JSON.parse`.
 * Keys, tokens and passwords are redacted; request headers are not recorded.
 */
export interface Tape {
  readonly format: "throughline-tape";
  readonly version: 1;
  /** Recorded model; undefined before the first call. */
  model?: TapedModel;
  /** Messages and tool definitions, each once. Calls refer to them by index. */
  readonly messages: unknown[];
  readonly calls: TapedCall[];
}

export interface TapedModel {
  /** `v3` and `v4` are AI SDK language models; `text` is a Throughline model. */
  readonly specification: string;
  readonly modelId: string;
  readonly provider?: string;
  readonly supportedUrls?: unknown;
  readonly contextLimit?: number;
}

/** One recorded call. */
export interface TapedCall {
  readonly call: CallKind;
  /** Hash of the request. */
  readonly hash: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** Answer; for a stream the fields beside its parts. */
  readonly result?: unknown;
  /** Parts of a stream, in order. */
  readonly parts?: readonly unknown[];
  /** Thrown error; for a stream after its parts. */
  readonly error?: unknown;
}

export interface TapeOptions {
  /** Additional texts to redact. Texts that look like keys, tokens or passwords are always redacted. */
  readonly secrets?: readonly string[];
}

/** Checks of the options. */
export const TAPE_RULES: OptionRules<TapeOptions> = { secrets: TEXTS };

export type CallKind = "generate" | "stream" | "text";

/**
 * Creates an empty tape.
 *
 * @example
 * const tape = createTape();
 * await generateText({ model: recordingModel(languageModel, tape), prompt: "Hello" });
 * await writeFile("hello.tape.json", JSON.stringify(tape, null, 2));
 */
export function createTape(): Tape {
  return { format: "throughline-tape", version: 1, messages: [], calls: [] };
}

/** A recorded call with its full request. */
export interface OpenCall extends Omit<TapedCall, "request"> {
  readonly request: JsonRecord;
}

export interface OpenTape {
  readonly model: TapedModel;
  readonly calls: readonly OpenCall[];
}

const KINDS: readonly string[] = ["generate", "stream", "text"] satisfies CallKind[];

/** @throws TapeError if it is not a tape, or if its requests were changed. */
export function readTape(json: unknown): OpenTape {
  if (!isRecord(json) || json.format !== "throughline-tape") throw broken("Not a tape.");
  if (json.version !== 1) throw broken(`Unsupported tape version ${String(json.version)}: expected 1.`);
  const messages = arrayField(json, "messages");
  const calls = arrayField(json, "calls");
  if (messages === undefined || calls === undefined) throw broken("Invalid tape: `messages` or `calls` is missing.");
  const model = recordField(json, "model");
  if (model === undefined) throw broken("The tape is empty.");
  if (stringField(model, "specification") === undefined || stringField(model, "modelId") === undefined) {
    throw broken("Invalid tape: the model is missing.");
  }
  const tape = json as unknown as Tape;
  return { model: model as unknown as TapedModel, calls: calls.map((call, at) => readCall(tape, call, at + 1)) };
}

function readCall(tape: Tape, json: unknown, number: number): OpenCall {
  if (!isRecord(json) || !KINDS.includes(String(json.call)) || !isRecord(json.request)) {
    throw broken(`Invalid tape: cannot read call ${number}.`);
  }
  const call = json as unknown as TapedCall;
  if (call.call === "stream" && !Array.isArray(call.parts) && call.error === undefined) {
    throw broken(`Invalid tape: call ${number} is a stream without parts.`);
  }
  const request = openMessages(tape, call);
  if (hashOf(call.call, request) !== call.hash) {
    throw broken(`Invalid tape: the request of call ${number} was changed after recording.`);
  }
  return { ...call, request };
}

function broken(problem: string): TapeError {
  return new TapeError("not-a-tape", problem);
}
