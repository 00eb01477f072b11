import { checkOptions } from "../errors/check-options.ts";
import { TapeError } from "../errors/tape-error.ts";
import { redactSecrets } from "../http/redact-secrets.ts";
import { isRecord, omitUndefined } from "../internal/json.ts";
import type { Model, ModelReply } from "../ports/model.ts";
import { describeMiss } from "./nearest-difference.ts";
import { type OpenCall, type OpenTape, readTape } from "./read-tape.ts";
import { type CallKind, TAPE_RULES, type TapeOptions } from "./tape.ts";
import { fromTape } from "./tape-json.ts";
import { describeRequest } from "./tape-request.ts";
import { playParts } from "./tape-stream.ts";

/**
 * A model for either version of the AI SDK. The tape decides about the version, so the types are as permissive as
 * possible.
 */
export interface ReplayingModel {
  readonly specificationVersion: never;
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, RegExp[]>;
  doGenerate(options: unknown): Promise<never>;
  doStream(options: unknown): Promise<never>;
}

/**
 * Creates a language model that answers from a tape, without a network. A request gets its recorded answer; repeated
 * requests get their answers in order. Recorded errors are thrown, and streams replay in their recorded chunks.
 *
 * @param tape Parsed tape of a language model.
 * @param options Texts that were redacted when recording.
 * @throws TapeError if it is not a tape of a language model. Calls throw it for a request that was not recorded.
 *
 * @example
 * const tape = JSON.parse(await readFile("hello.tape.json", "utf8"));
 * const { text: reply } = await generateText({ model: replayingModel(tape), prompt: "Hello" });
 */
export function replayingModel(tape: unknown, options: TapeOptions = {}): ReplayingModel {
  checkOptions("replayingModel", options, TAPE_RULES);
  const open = readTape(tape);
  const { specification, provider = "", modelId, supportedUrls } = open.model;
  if (specification === "text") throw wrongKind(open, "a language model. Use replayingTextModel");
  const player = new Player(open, options);
  const model: Record<keyof ReplayingModel, unknown> = {
    specificationVersion: specification,
    provider,
    modelId,
    supportedUrls: fromTape(supportedUrls) ?? {},
    doGenerate: async (asked: unknown) => player.answer("generate", asked),
    async doStream(asked: unknown) {
      const { parts = [], result, ...end } = player.find("stream", asked);
      if ("error" in end && result === undefined) throw fromTape(end.error);
      const behind = "error" in end ? { error: fromTape(end.error) } : {};
      const beside = fromTape(result);
      return { ...(isRecord(beside) && beside), stream: playParts(parts.map(fromTape), behind, signalOf(asked)) };
    },
  };
  return model as ReplayingModel;
}

/**
 * Creates a Throughline model that answers from a tape.
 *
 * @param tape Parsed tape of a Throughline model.
 * @param options Texts that were redacted when recording.
 * @throws TapeError if it is not a tape of a Throughline model.
 *
 * @example
 * const tape = JSON.parse(await readFile("hello.tape.json", "utf8"));
 * const tl = await createThroughline({ model: replayingTextModel(tape) });
 */
export function replayingTextModel(tape: unknown, options: TapeOptions = {}): Model {
  checkOptions("replayingTextModel", options, TAPE_RULES);
  const open = readTape(tape);
  const { specification, modelId, contextLimit } = open.model;
  if (specification !== "text") throw wrongKind(open, "a text model. Use replayingModel");
  const player = new Player(open, options);
  const generate: Model["generate"] = async (request) => player.answer("text", request) as ModelReply;
  return omitUndefined({ modelId, contextLimit, generate });
}

function wrongKind({ model }: OpenTape, wanted: string): TapeError {
  return new TapeError("other-model", `Wrong kind of tape: ${model.modelId} is not ${wanted}.`);
}

class Player {
  readonly #calls: readonly OpenCall[];
  readonly #hide: (text: string) => string;
  readonly #played = new Set<OpenCall>();

  constructor({ calls }: OpenTape, { secrets = [] }: TapeOptions) {
    this.#calls = calls;
    this.#hide = (text) => redactSecrets(text, secrets);
  }

  /** Finds the next answer to a request. */
  find(call: CallKind, asked: unknown): OpenCall {
    const signal = signalOf(asked);
    if (signal?.aborted) throw signal.reason;
    const described = describeRequest(call, asked, this.#hide);
    const found = this.#calls.find((one) => one.hash === described.hash && !this.#played.has(one));
    if (found === undefined) throw new TapeError("not-recorded", describeMiss(described, this.#calls));
    this.#played.add(found);
    return found;
  }

  answer(call: CallKind, asked: unknown): unknown {
    const found = this.find(call, asked);
    if ("error" in found) throw fromTape(found.error);
    return fromTape(found.result);
  }
}

function signalOf(asked: unknown): AbortSignal | undefined {
  return isRecord(asked) ? ((asked.abortSignal ?? asked.signal) as AbortSignal | undefined) : undefined;
}
