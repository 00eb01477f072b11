import { checkOptions } from "../errors/check-options.ts";
import { TapeError } from "../errors/model-errors.ts";
import { redactSecrets } from "../http/redact-secrets.ts";
import { isRecord, type JsonRecord, omitUndefined } from "../internal/json.ts";
import type { Model, ModelReply } from "../ports/model.ts";
import {
  type CallKind,
  type DescribedRequest,
  describeRequest,
  fromTape,
  type OpenCall,
  type OpenTape,
  playParts,
  readTape,
  TAPE_RULES,
  type TapeOptions,
} from "./tape.ts";

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
    doGenerate: async (request: unknown) => player.answer("generate", request),
    async doStream(request: unknown) {
      const { parts = [], result, ...end } = player.find("stream", request);
      if ("error" in end && result === undefined) throw fromTape(end.error);
      const behind = "error" in end ? { error: fromTape(end.error) } : {};
      const beside = fromTape(result);
      return { ...(isRecord(beside) && beside), stream: playParts(parts.map(fromTape), behind, signalOf(request)) };
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
  find(call: CallKind, request: unknown): OpenCall {
    const signal = signalOf(request);
    if (signal?.aborted) throw signal.reason;
    const described = describeRequest(call, request, this.#hide);
    const found = this.#calls.find((one) => one.hash === described.hash && !this.#played.has(one));
    if (found === undefined) throw new TapeError("not-recorded", describeMiss(described, this.#calls));
    this.#played.add(found);
    return found;
  }

  answer(call: CallKind, request: unknown): unknown {
    const found = this.find(call, request);
    if ("error" in found) throw fromTape(found.error);
    return fromTape(found.result);
  }
}

function signalOf(request: unknown): AbortSignal | undefined {
  return isRecord(request) ? ((request.abortSignal ?? request.signal) as AbortSignal | undefined) : undefined;
}

/** A value that differs from the recorded request. */
interface Difference {
  readonly path: string;
  readonly sent: unknown;
  readonly recorded: unknown;
}

/** Maximum differences to count: a call with more is not similar. */
const MAX_DIFFERENCES = 200;
/** Characters shown before and after the start of a difference. */
const EXCERPT = { before: 20, after: 60 };

/** Explains why a tape has no answer: names the most similar recorded call and the first difference. */
function describeMiss(request: DescribedRequest, calls: readonly OpenCall[]): string {
  const same = calls.filter(({ hash }) => hash === request.hash).length;
  if (same > 0) {
    return `The tape has ${same === 1 ? "one answer" : `${same} answers`} for this request, but it was sent again.`;
  }
  let nearest: { readonly number: number; readonly differences: readonly Difference[] } | undefined;
  calls.forEach(({ call, request: recorded }, at) => {
    const differences = compare({ call: request.call, ...request.request }, { call, ...recorded });
    if (nearest === undefined || differences.length < nearest.differences.length) {
      nearest = { number: at + 1, differences };
    }
  });
  if (nearest === undefined) return "The tape has no calls.";
  const [first] = nearest.differences;
  const more = nearest.differences.length - 1;
  const others = more === 0 ? "" : ` ${more === 1 ? "One more value differs" : `${more} more values differ`}.`;
  return `The tape has no answer for this request. The most similar call is ${nearest.number}, where ${first && describe(first)}.${others}`;
}

function describe({ path, sent, recorded }: Difference): string {
  const [now, then] = excerpts(sent, recorded);
  return `${path} was ${then}, and is ${now}`;
}

/** Excerpts of both values around the first difference. */
function excerpts(request: unknown, recorded: unknown): readonly [string, string] {
  const texts = [request, recorded].map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const [a = "", b = ""] = texts;
  let parting = 0;
  while (parting < a.length && parting < b.length && a[parting] === b[parting]) parting += 1;
  const from = Math.max(0, parting - EXCERPT.before);
  const show = (text: string | undefined) => {
    if (text === undefined) return "nothing";
    const end = parting + EXCERPT.after;
    return JSON.stringify(`${from > 0 ? "…" : ""}${text.slice(from, end)}${text.length > end ? "…" : ""}`);
  };
  return [show(texts[0]), show(texts[1])];
}

function compare(request: JsonRecord, recorded: JsonRecord): readonly Difference[] {
  const found: Difference[] = [];
  collect(request, recorded, "", found);
  return found;
}

function collect(request: unknown, recorded: unknown, path: string, found: Difference[]): void {
  if (found.length >= MAX_DIFFERENCES || Object.is(request, recorded)) return;
  if (Array.isArray(request) && Array.isArray(recorded)) {
    const length = Math.max(request.length, recorded.length);
    for (let at = 0; at < length; at += 1) collect(request[at], recorded[at], `${path}[${at}]`, found);
  } else if (isRecord(request) && isRecord(recorded)) {
    for (const name of new Set([...Object.keys(request), ...Object.keys(recorded)])) {
      collect(request[name], recorded[name], path === "" ? name : `${path}.${name}`, found);
    }
  } else {
    found.push({ path, sent: request, recorded });
  }
}
