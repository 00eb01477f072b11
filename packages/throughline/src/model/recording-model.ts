import { checkOptions } from "../errors/check-options.ts";
import { TapeError } from "../errors/model-errors.ts";
import { redactSecrets, redactStream } from "../http/redact-secrets.ts";
import { isRecord, type JsonRecord, omitUndefined, sameJson } from "../internal/json.ts";
import type { Model } from "../ports/model.ts";
import {
  type DescribedRequest,
  describeRequest,
  type PartStream,
  shareMessages,
  TAPE_RULES,
  type Tape,
  type TapedCall,
  type TapedModel,
  type TapeOptions,
  toTape,
  watchParts,
} from "./tape.ts";

/** A language model of the AI SDK (specification 3 or 4), as far as it is recorded. */
export interface RecordableModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: unknown;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<{ readonly stream: unknown }>;
}

/** Response headers to record; others may be cookies. */
const KEPT_HEADERS = /^(?:content-type|retry-after(?:-ms)?|(?:x-)?request-id|x-ratelimit-.*)$/i;

/**
 * Wraps a language model of the AI SDK so that all its calls are recorded on a tape. Aborted calls are not recorded.
 *
 * @param model Model to record.
 * @param tape Tape to record on.
 * @param options Texts to redact.
 * @returns A model with the same type.
 *
 * @example
 * const tape = createTape();
 * const recorded = recordingModel(languageModel, tape, { secrets: ["my-key"] });
 */
export function recordingModel<M extends RecordableModel>(
  model: M,
  tape: Tape,
  options: TapeOptions = {},
): Pick<M, keyof RecordableModel> {
  checkOptions("recordingModel", options, TAPE_RULES);
  const recorder = new Recorder(tape, options);
  const { specificationVersion, provider, modelId } = model;
  const begin = async () => {
    const supportedUrls = toTape(await model.supportedUrls, (text) => text);
    recorder.name({ specification: specificationVersion, provider, modelId, supportedUrls });
  };
  const recording: RecordableModel = {
    specificationVersion,
    provider,
    modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    async doGenerate(callOptions) {
      await begin();
      return recorder.record("generate", callOptions, () => model.doGenerate(callOptions));
    },
    async doStream(callOptions) {
      await begin();
      return recorder.recordStream(callOptions, () => model.doStream(callOptions));
    },
  };
  return recording as M;
}

/**
 * Wraps a Throughline model so that all its calls are recorded on a tape.
 *
 * @param model Model to record.
 * @param tape Tape to record on.
 * @param options Texts to redact.
 *
 * @example
 * const local = openAiCompatibleModel({ baseUrl: "http://127.0.0.1:11434/v1", model: "qwen3:8b" });
 * const recorded = recordingTextModel(local, createTape());
 */
export function recordingTextModel(model: Model, tape: Tape, options: TapeOptions = {}): Model {
  checkOptions("recordingTextModel", options, TAPE_RULES);
  const recorder = new Recorder(tape, options);
  const { modelId, contextLimit } = model;
  const generate: Model["generate"] = async (request) => {
    recorder.name(omitUndefined({ specification: "text", modelId, contextLimit }));
    return recorder.record("text", request, () => model.generate(request));
  };
  return omitUndefined({ modelId, contextLimit, generate });
}

class Recorder {
  readonly #tape: Tape;
  readonly #hide: (text: string) => string;

  constructor(tape: Tape, { secrets = [] }: TapeOptions) {
    this.#tape = tape;
    this.#hide = (text) =>
      redactSecrets(
        text,
        secrets.filter((secret) => secret !== ""),
      );
  }

  /** @throws TapeError if the tape belongs to another model. */
  name(model: TapedModel): void {
    this.#tape.model ??= model;
    if (sameJson(this.#tape.model, model)) return;
    throw new TapeError(
      "other-model",
      `Cannot record ${model.modelId}: the tape belongs to ${this.#tape.model.modelId}.`,
    );
  }

  async record<T>(call: "generate" | "text", options: unknown, work: () => PromiseLike<T>): Promise<T> {
    const request = describeRequest(call, options, this.#hide);
    const result = await this.#orError(request, options, work);
    this.#put(request, { result: this.#clean(result) });
    return result;
  }

  async recordStream<T extends { readonly stream: unknown }>(options: unknown, work: () => PromiseLike<T>): Promise<T> {
    const request = describeRequest("stream", options, this.#hide);
    const answer = await this.#orError(request, options, work);
    const { stream, ...beside } = answer;
    const watched = watchParts(stream as PartStream, (parts, end) => {
      if (isAborted(options)) return;
      const written = parts.map((part) => toTape(part, this.#hide));
      const error = "error" in end ? { error: toTape(end.error, this.#hide) } : {};
      this.#put(request, { result: this.#clean(beside), parts: redactStream(written, this.#hide), ...error });
    });
    return { ...answer, stream: watched };
  }

  async #orError<T>(request: DescribedRequest, options: unknown, work: () => PromiseLike<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isAborted(options)) this.#put(request, { error: toTape(error, this.#hide) });
      throw error;
    }
  }

  #put({ call, hash, request }: DescribedRequest, answer: Pick<TapedCall, "result" | "parts" | "error">): void {
    this.#tape.calls.push({ call, hash, request: shareMessages(this.#tape, request), ...answer });
  }

  /** Drops the request, which is on the tape already. */
  #clean(result: unknown): unknown {
    if (!isRecord(result)) return toTape(result, this.#hide);
    const { request: _, response, ...rest } = result;
    const kept = isRecord(response) ? { response: withoutHeaders(response) } : {};
    return toTape({ ...rest, ...kept }, this.#hide);
  }
}

function withoutHeaders(response: JsonRecord): JsonRecord {
  const { headers, ...rest } = response;
  if (!isRecord(headers)) return rest;
  return { ...rest, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT_HEADERS.test(name))) };
}

function isAborted(options: unknown): boolean {
  if (!isRecord(options)) return false;
  const signal = (options.abortSignal ?? options.signal) as AbortSignal | undefined;
  return signal?.aborted === true;
}
