import { type OptionRules, TEXTS } from "../errors/check-options.ts";
import { TapeError } from "../errors/model-errors.ts";
import { isSecretName } from "../http/redact-secrets.ts";
import { arrayField, digest, isRecord, type JsonRecord, recordField, stringField } from "../internal/json.ts";
import { fromBase64, toBase64 } from "../message/convert/file-data.ts";

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
  if (!isRecord(json) || json.format !== "throughline-tape")
    throw broken("Invalid tape: the format is not `throughline-tape`.");
  if (json.version !== 1) throw broken(`Unsupported tape version ${String(json.version)}: expected 1.`);
  const messages = arrayField(json, "messages");
  const calls = arrayField(json, "calls");
  if (messages === undefined || calls === undefined) throw broken("Invalid tape: `messages` or `calls` is missing.");
  const model = recordField(json, "model");
  if (model === undefined) throw broken("Invalid tape: no call was recorded.");
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

/**
 * Serializes values to JSON losslessly: bytes, dates, URLs, regular expressions, errors and special numbers become `{
 * "$bytes": … }` and so on. Keys that begin with `$` get a second one, so they are not confused with these. Undefined
 * fields and functions are dropped.
 */
export function toTape(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === "string") return hide(value);
  if (typeof value === "number") return isPlainNumber(value) ? value : { $number: nameOf(value) };
  if (typeof value === "bigint") return { $bigint: `${value}` };
  if (typeof value !== "object" || value === null) return typeof value === "boolean" ? value : null;
  if (Array.isArray(value)) return value.map((item) => toTape(item, hide));
  return writeObject(value, hide) ?? writeFields(value as JsonRecord, hide);
}

function writeObject(value: object, hide: (text: string) => string): JsonRecord | undefined {
  if (value instanceof Uint8Array) return { $bytes: toBase64(value) };
  if (value instanceof Date) return { $date: Number.isNaN(value.getTime()) ? "" : value.toISOString() };
  if (value instanceof URL) return { $url: hide(value.href) };
  if (value instanceof RegExp) return { $pattern: [value.source, value.flags] };
  if (value instanceof Error) return { $error: writeFields(writeError(value), hide) };
  return undefined;
}

function writeFields(record: JsonRecord, hide: (text: string) => string): JsonRecord {
  const isKept = ([, field]: [string, unknown]) => !["undefined", "function", "symbol"].includes(typeof field);
  const fields = Object.entries(record).filter(isKept);
  return Object.fromEntries(
    fields.map(([name, field]) => [name.startsWith("$") ? `$${name}` : name, toTape(field, hide)]),
  );
}

/** JSON has no -0 either. */
function isPlainNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function nameOf(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

const READERS = new Map<string, (content: unknown) => unknown>([
  ["$bytes", (content) => fromBase64(String(content)) ?? new Uint8Array()],
  ["$date", (content) => new Date(content === "" ? Number.NaN : String(content))],
  ["$url", (content) => new URL(String(content))],
  ["$pattern", (content) => (Array.isArray(content) ? new RegExp(String(content[0]), String(content[1])) : undefined)],
  ["$error", (content) => readError(isRecord(content) ? readFields(content) : {})],
  ["$number", (content) => Number(content)],
  ["$bigint", (content) => BigInt(String(content))],
]);

/** Restores serialized values. */
export function fromTape(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(fromTape);
  if (!isRecord(json)) return json;
  const [[name, content] = [""]] = Object.entries(json);
  const read = READERS.get(name);
  return read === undefined ? readFields(json) : read(content);
}

function readFields(json: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(json).map(([name, field]) => [name.startsWith("$$") ? name.slice(1) : name, fromTape(field)]),
  );
}

/** Fields that callers inspect. Excludes URL, headers and request body. */
const FIELDS = ["statusCode", "status", "code", "isRetryable", "responseBody", "data", "reason"];

/** Serializes an error with the fields and symbols that identify it. */
function writeError(error: Error): JsonRecord {
  const own = error as Error & JsonRecord;
  const fields = FIELDS.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]]));
  const marks = Object.getOwnPropertySymbols(error).flatMap((mark) =>
    (own as unknown as Record<symbol, unknown>)[mark] === true ? (Symbol.keyFor(mark) ?? []) : [],
  );
  return {
    name: error.name,
    message: error.message,
    ...Object.fromEntries(fields),
    ...(marks.length > 0 && { marks }),
  };
}

/** Restores an error that callers handle like the original. */
function readError(json: JsonRecord): Error {
  const { name: _, message: __, marks: ___, ...fields } = json;
  const error = new Error(stringField(json, "message") ?? "");
  Object.defineProperty(error, "name", { value: stringField(json, "name") ?? "Error", configurable: true });
  for (const mark of arrayField(json, "marks") ?? []) {
    Object.defineProperty(error, Symbol.for(String(mark)), { value: true });
  }
  return Object.assign(error, isRecord(fields) ? fields : {});
}

/** A request in comparable form: everything that influences the answer, without transport details. */
export interface DescribedRequest {
  readonly call: CallKind;
  readonly hash: string;
  readonly request: JsonRecord;
}

/** Long lists that hardly change from call to call. */
const SHARED = ["prompt", "tools"];

/** Drops headers, which carry keys, and abort signals. */
export function describeRequest(call: CallKind, options: unknown, hide: (text: string) => string): DescribedRequest {
  const { headers: _, abortSignal: __, signal: ___, ...recorded } = isRecord(options) ? options : {};
  const plain = {
    ...recorded,
    ...("providerOptions" in recorded && { providerOptions: withoutKeys(recorded.providerOptions) }),
  };
  const request = toTape(plain, hide) as JsonRecord;
  return { call, hash: hashOf(call, request), request };
}

function hashOf(call: CallKind, request: JsonRecord): string {
  return digest({ call, request });
}

/** Redacts option values whose names suggest a secret. */
function withoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeys);
  if (!isRecord(value)) return value;
  const hidden = (name: string, field: unknown) =>
    typeof field === "string" && isSecretName(name) ? "*".repeat(8) : withoutKeys(field);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, hidden(name, field)]));
}

/** Replaces messages and tools with their indices on the tape, and adds new ones to it. */
export function shareMessages(tape: Tape, request: JsonRecord): JsonRecord {
  const known = placesOf(tape);
  const place = (message: unknown) => {
    const hash = digest(message);
    const at = known.get(hash) ?? tape.messages.push(message) - 1;
    known.set(hash, at);
    return at;
  };
  return mapShared(request, place);
}

/** Restores the request. A missing message becomes `undefined`, which changes the hash. */
function openMessages({ messages }: Tape, { request }: TapedCall): JsonRecord {
  return mapShared(request, (at) => (typeof at === "number" ? messages[at] : undefined));
}

function mapShared(request: JsonRecord, change: (item: unknown) => unknown): JsonRecord {
  const changed = SHARED.flatMap((name) => {
    const list = request[name];
    return Array.isArray(list) ? [[name, list.map(change)]] : [];
  });
  return { ...request, ...Object.fromEntries(changed) };
}

const places = new WeakMap<Tape, Map<string, number>>();

/** Hash of a message → its index. */
function placesOf(tape: Tape): Map<string, number> {
  const known = places.get(tape) ?? new Map(tape.messages.map((message, at) => [digest(message), at]));
  places.set(tape, known);
  return known;
}

/** A web stream, as far as it is used. */
export interface PartStream {
  getReader(): PartReader;
}

interface PartReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
  cancel(reason?: unknown): Promise<void>;
}

interface PartSource {
  pull(controller: { enqueue(part: unknown): void; close(): void }): Promise<void>;
  cancel?(reason: unknown): Promise<void>;
}

/** A global of all streaming runtimes that the ES types lack. */
interface Runtime {
  readonly ReadableStream: new (source: PartSource, strategy: { readonly highWaterMark: number }) => PartStream;
}

/** Makes a pull-based stream without buffering. */
function streamOf(source: PartSource): PartStream {
  return new (globalThis as unknown as Runtime).ReadableStream(source, { highWaterMark: 0 });
}

/** End of a stream: complete, canceled, or with an error. */
interface StreamEnd {
  readonly error?: unknown;
}

/** Passes a stream through and calls `ended` with its parts at the end. */
export function watchParts(stream: PartStream, ended: (parts: readonly unknown[], end: StreamEnd) => void): PartStream {
  const reader = stream.getReader();
  const parts: unknown[] = [];
  return streamOf({
    async pull(controller) {
      const next = await reader.read().catch((error: unknown) => {
        ended(parts, { error });
        throw error;
      });
      if (!next.done) {
        parts.push(next.value);
        controller.enqueue(next.value);
        return;
      }
      ended(parts, {});
      controller.close();
    },
    async cancel(reason) {
      ended(parts, {});
      await reader.cancel(reason);
    },
  });
}

/** Streams these parts one by one, then the error, if any. Ends early if aborted. */
export function playParts(parts: readonly unknown[], end: StreamEnd, signal: AbortSignal | undefined): PartStream {
  let at = 0;
  return streamOf({
    async pull(controller) {
      if (signal?.aborted) throw signal.reason;
      if (at < parts.length) {
        controller.enqueue(parts[at]);
        at += 1;
      } else if ("error" in end) throw end.error;
      else controller.close();
    },
  });
}
