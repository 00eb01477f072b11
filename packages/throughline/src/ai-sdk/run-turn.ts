import { SessionBusyError } from "../errors/session-busy-error.ts";
import { isRecord, omitUndefined } from "../internal/json.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import { recogniseOverflow } from "../overflow/recognise-overflow.ts";
import type { Session } from "../session/session.ts";
import type { PrepareOptions } from "../session/turn.ts";
import { EventQueue } from "./event-queue.ts";
import { learnOverflow } from "./overflow-recovery.ts";
import type { StreamOf } from "./sdk-types.ts";
import { type StreamOptions, streamTurn } from "./stream-turn.ts";
import { type TurnEvent, toErrorEvent, toSse, toTurnEvent } from "./turn-events.ts";
import { streamFrom } from "./watch-stream.ts";

/** What `streamText` gives back, as far as it is used. */
export interface TurnStream {
  readonly fullStream: AsyncIterable<unknown>;
}

export interface RunTurnOptions extends StreamOptions<TurnStream>, Pick<PrepareOptions, "memory" | "signal"> {
  /** What is said now: a text, or messages of the SDK, an approval for example. */
  readonly message: string | readonly ForeignModelMessage[];
  /** While somebody compacts the session, a turn is refused, or waits; it is refused where nothing is said. */
  readonly whileCompacting?: "refuse" | "wait";
  /** Milliseconds to wait at the most; 10,000 where nothing is said. */
  readonly waitLimit?: number;
}

/** A turn that runs while its events are read, once. */
export interface RunningTurn extends AsyncIterable<TurnEvent> {
  /** The same as server-sent events, for the body of a response. */
  toSse(): StreamOf<Uint8Array>;
}

const WAIT_LIMIT = 10_000;
const POLL = 50;

/**
 * Runs a turn: takes in what is said, prepares the window, streams the reply with its tools and what is done to the
 * session meanwhile, and prunes at the end, error or not. A window that the provider refuses as too long is prepared
 * once more. It runs as fast as its events are read, and stops when nobody reads on.
 *
 * @example
 * for await (const event of runTurn(session, { streamText, model, message: "Go on." })) console.log(event.type);
 */
export function runTurn(session: Session, options: RunTurnOptions): RunningTurn {
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
    await untilFree(session, options);
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

/** @throws SessionBusyError where somebody else is at it. */
async function untilFree(
  session: Session,
  { whileCompacting = "refuse", waitLimit = WAIT_LIMIT }: RunTurnOptions,
): Promise<void> {
  for (let waited = 0; (await session.status()).isCompacting; waited += POLL) {
    if (whileCompacting === "refuse" || waited >= waitLimit) throw new SessionBusyError(session.id);
    await new Promise<void>((resolve) => setTimeout(resolve, POLL));
  }
}

/** The reply; after a refusal it goes on from the session, which has all that was done before it. */
async function* replyEvents(
  session: Session,
  options: RunTurnOptions,
  queue: EventQueue<TurnEvent>,
): AsyncGenerator<TurnEvent, string, undefined> {
  for (let isLast = false; ; isLast = true) {
    const { system, memory, signal } = options;
    const turn = await session.prepare(omitUndefined({ system, memory, signal }));
    yield* queue.take();
    // The SDK reads its stream for itself, too: only this stops it where nobody reads on.
    const stop = new AbortController();
    const abort = () => stop.abort(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    let end: StreamEnd;
    try {
      const reply = streamTurn(session, turn, options, omitUndefined({ memory, signal: stop.signal }));
      end = yield* stepEvents(stoppable(reply.fullStream, stop), queue, isLast);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
    if ("finishReason" in end) return end.finishReason;
    await learnOverflow(session, end.refused);
  }
}

/** The same values; the source is told to stop before anybody waits for its end. */
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
  | { readonly refused: NonNullable<ReturnType<typeof recogniseOverflow>> };

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
    const refused = type === "error" && isRecord(value) ? recogniseOverflow(value.error) : undefined;
    if (refused !== undefined && !hasSpoken && !isLast) return { refused };
    const event = toTurnEvent(value);
    if (event === undefined) continue;
    hasSpoken = true;
    yield event;
  }
  return { finishReason };
}

/** The parts of a stream, and what is told meanwhile as soon as it is told. One part is read ahead at the most. */
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
