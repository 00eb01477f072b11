import { AT_LEAST_ZERO, OBJECT, type OptionRule, oneOf } from "../errors/check-options.ts";
import { SessionBusyError } from "../errors/session-errors.ts";
import { isRecord, omitUndefined } from "../internal/json.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import { parseOverflowError } from "../overflow/parse-overflow-error.ts";
import type { Session } from "../session/session.ts";
import { PREPARE_RULES, type PrepareOptions } from "../session/session-options.ts";
import { checkStreamOptions, STREAM_RULES, type StreamOf, type StreamOptions } from "./stream-settings.ts";
import {
  learnOverflow,
  streamFrom,
  streamTurn,
  type TurnEvent,
  toErrorEvent,
  toSse,
  toTurnEvent,
} from "./stream-turn.ts";

/** Result of `streamText`, as far as it is used. */
export interface TurnStream {
  readonly fullStream: AsyncIterable<unknown>;
}

export interface RunTurnOptions
  extends StreamOptions<TurnStream>,
    Pick<PrepareOptions, "memory" | "signal" | "waitForModel"> {
  /** User input: a text, or AI SDK messages, e.g. an approval. */
  readonly message: string | readonly ForeignModelMessage[];
  /** Behavior while another process compacts the session: refuse the turn, or wait. Default: `refuse`. */
  readonly whileCompacting?: "refuse" | "wait";
  /** Maximum wait in milliseconds. Default: 10,000. */
  readonly waitLimit?: number;
  /** Same as `signal`, under the name that `streamText` has for it. */
  readonly abortSignal?: AbortSignal;
}

const { memory, signal, waitForModel } = PREPARE_RULES;
const TURN_RULES: Readonly<Record<string, OptionRule>> = {
  message: [(value) => typeof value === "string" || Array.isArray(value), "a text, or a list of AI SDK messages"],
  ...STREAM_RULES,
  ...{ memory, signal, waitForModel },
  whileCompacting: oneOf("refuse", "wait"),
  waitLimit: AT_LEAST_ZERO,
  abortSignal: OBJECT,
};

/** A turn that runs while its events are read. Read it once. */
export interface RunningTurn extends AsyncIterable<TurnEvent> {
  /**
   * Returns the events as server-sent events, for the body of a response.
   *
   * @example
   * const body = runTurn(session, { streamText, model, message: "Go on." }).toSse();
   */
  toSse(): StreamOf<Uint8Array>;
}

const WAIT_LIMIT = 10_000;
const POLL = 50;

/**
 * Runs a turn: appends the message, prepares the window, streams the reply with its tool calls and session events, and
 * prunes at the end, even after an error. If the provider refuses the window as too long, it is prepared again once.
 * The turn runs as fast as its events are read, and stops when the reader stops.
 *
 * @param session Session that stores the conversation.
 * @param options Message, model, `streamText` and its settings, such as `stopWhen`. Values of these settings are passed
 *   on
 *   unchecked.
 * @returns The events of the turn.
 * @throws InvalidOptionError if an option is invalid, or neither known here nor a setting of `streamText`; also for
 *   `messages`, `prompt` and `instructions`, which come from the session and `system`.
 *
 * @example
 * for await (const event of runTurn(session, { streamText, model, message: "Go on." })) console.log(event.type);
 */
export function runTurn(session: Session, options: RunTurnOptions): RunningTurn {
  checkStreamOptions("runTurn", options, TURN_RULES);
  const events = turnEvents(session, options);
  return {
    [Symbol.asyncIterator]: () => events,
    toSse: () => streamFrom(encoded(events)),
  };
}

async function* encoded(events: AsyncIterable<TurnEvent>): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const event of events) yield encoder.encode(toSse(event));
}

async function* turnEvents(session: Session, options: RunTurnOptions): AsyncGenerator<TurnEvent, void, undefined> {
  const queue = new EventQueue<TurnEvent>();
  const stopListening = session.on((event) => queue.push(event));
  let finishReason = "error";
  try {
    await waitForCompaction(session, options);
    const { message } = options;
    await session.append(typeof message === "string" ? [{ role: "user", content: message }] : message);
    finishReason = yield* replyEvents(session, options, queue);
  } catch (error) {
    yield* queue.take();
    yield toErrorEvent(error);
  } finally {
    await session.prune().catch((error) => queue.push(toErrorEvent(error)));
    stopListening();
  }
  yield* queue.take();
  yield { type: "done", data: { finishReason } };
}

/** @throws SessionBusyError if another process is compacting the session. */
async function waitForCompaction(
  session: Session,
  { whileCompacting = "refuse", waitLimit = WAIT_LIMIT }: RunTurnOptions,
): Promise<void> {
  for (let waited = 0; (await session.status()).isCompacting; waited += POLL) {
    if (whileCompacting === "refuse" || waited >= waitLimit) throw new SessionBusyError(session.id);
    await new Promise<void>((resolve) => setTimeout(resolve, POLL));
  }
}

/** Streams the reply. After a refusal it continues from the session, which holds all earlier steps. */
async function* replyEvents(
  session: Session,
  options: RunTurnOptions,
  queue: EventQueue<TurnEvent>,
): AsyncGenerator<TurnEvent, string, undefined> {
  for (let isLast = false; ; isLast = true) {
    const { system, memory, signal, waitForModel } = options;
    const turn = await session.prepare(omitUndefined({ system, memory, signal, waitForModel }));
    yield* queue.take();
    // The AI SDK also reads its stream by itself; only aborting stops it when the reader stops.
    const stop = new AbortController();
    const signals = [signal, options.abortSignal].filter((one) => one !== undefined);
    const abort = () => stop.abort(signals.find(({ aborted }) => aborted)?.reason);
    for (const one of signals) one.addEventListener("abort", abort, { once: true });
    if (signals.some(({ aborted }) => aborted)) abort();
    let end: StreamEnd;
    try {
      const reply = streamTurn(session, turn, options, omitUndefined({ memory, waitForModel, signal: stop.signal }));
      end = yield* stepEvents(stoppable(reply.fullStream, stop), queue, isLast);
    } finally {
      for (const one of signals) one.removeEventListener("abort", abort);
    }
    if ("finishReason" in end) return end.finishReason;
    await learnOverflow(session, end.refused);
  }
}

/** Yields the same values. Aborts the source before waiting for its end. */
async function* stoppable<T>(values: AsyncIterable<T>, stop: AbortController): AsyncGenerator<T, void, undefined> {
  const source = values[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
    isOver = true;
  } finally {
    if (!isOver) {
      stop.abort();
      await source.return?.();
    }
  }
}

type StreamEnd =
  | { readonly finishReason: string }
  | { readonly refused: NonNullable<ReturnType<typeof parseOverflowError>> };

async function* stepEvents(
  stream: AsyncIterable<unknown>,
  queue: EventQueue<TurnEvent>,
  isLast: boolean,
): AsyncGenerator<TurnEvent, StreamEnd, undefined> {
  let finishReason = "error";
  let hasSpoken = false;
  for await (const part of withEvents(stream, queue)) {
    if ("event" in part) {
      yield part.event;
      continue;
    }
    const { value } = part;
    const type = isRecord(value) ? value.type : undefined;
    if (type === "start-step" || type === "finish-step") hasSpoken = false;
    if (type === "finish" && isRecord(value)) finishReason = String(value.finishReason);
    const refused = type === "error" && isRecord(value) ? parseOverflowError(value.error) : undefined;
    if (refused !== undefined && !hasSpoken && !isLast) return { refused };
    const event = toTurnEvent(value);
    if (event === undefined) continue;
    hasSpoken = true;
    yield event;
  }
  return { finishReason };
}

/** Yields the parts of a stream, and events as soon as they arrive. Reads at most one part ahead. */
async function* withEvents(
  stream: AsyncIterable<unknown>,
  queue: EventQueue<TurnEvent>,
): AsyncGenerator<{ readonly event: TurnEvent } | { readonly value: unknown }, void, undefined> {
  const parts = stream[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (let next = parts.next(); ; next = parts.next()) {
      let isHere = false;
      const arrived = next.then(() => {
        isHere = true;
      });
      while (!isHere) {
        await Promise.race([arrived, queue.arrival]);
        for (const event of queue.take()) yield { event };
      }
      const { done, value } = await next;
      if (done === true) break;
      yield { value };
    }
    isOver = true;
  } finally {
    if (!isOver) await parts.return?.();
  }
}

/** Buffers events until they are taken. */
class EventQueue<T> {
  #events: T[] = [];
  #wake = Promise.withResolvers<void>();

  push(event: T): void {
    this.#events.push(event);
    this.#wake.resolve();
  }

  /** Resolves when there are events. */
  get arrival(): Promise<void> {
    return this.#wake.promise;
  }

  take(): T[] {
    const taken = this.#events;
    this.#events = [];
    this.#wake = Promise.withResolvers();
    return taken;
  }
}
