import { isRecord, type JsonRecord, recordField, tryParseJson } from "throughline/internal";
import { EventStreamReader } from "./event-stream.ts";

/** Milliseconds for which a beginning that says nothing yet is held back: a refusal comes at once. */
const PATIENCE = 1_000;

/** How a stream may begin that could still turn out to be a refusal. */
export interface Openings {
  /** The first characters of such events, without spaces. */
  readonly starts: readonly string[];
  /** Whether an event says nothing yet. */
  isPreamble(event: JsonRecord): boolean;
}

/** How an error in the place of an answer begins. */
export const ERROR_STARTS: readonly string[] = ["event:error", 'data:{"error"', 'data:{"type":"error"'];

/** A stream whose beginning was looked at. */
export interface PeekedStream {
  /** All of it, from its first byte. */
  readonly body: ReadableStream<Uint8Array>;
  /** What it was broken off with before it said anything. */
  readonly failure: unknown;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Read = ReturnType<Reader["read"]>;

/**
 * Looks whether a stream of events begins with an error: some providers refuse in the stream instead of with a status.
 * Nothing is held back that can be the beginning of an answer.
 */
export async function peekStream(stream: ReadableStream<Uint8Array>, openings: Openings): Promise<PeekedStream> {
  const reader = stream.getReader();
  const ahead: Uint8Array[] = [];
  const patience = AbortSignal.timeout(PATIENCE);
  const events = new EventStreamReader();
  const decoder = new TextDecoder();
  let text = "";
  let pending: Read | undefined;
  for (;;) {
    pending = reader.read();
    const read = await orNothing(pending, patience);
    if (read === undefined) break;
    pending = undefined;
    if (read.done) break;
    ahead.push(read.value);
    text += decoder.decode(read.value, { stream: true });
    const told = events.push(read.value).map((data) => tryParseJson(data)?.value);
    const said = told.find((event) => !isRecord(event) || !openings.isPreamble(event));
    if (said !== undefined) return { body: resumed(ahead, undefined, reader), failure: failureIn(said) };
    if (!mayRefuse(text.split(/\r?\n\r?\n/).at(-1) ?? "", openings)) break;
  }
  return { body: resumed(ahead, pending, reader), failure: undefined };
}

/** Whether what is not complete yet can become the event of an error. */
function mayRefuse(open: string, { starts }: Openings): boolean {
  const begun = open.replace(/\s/g, "");
  return starts.some((start) => begun.startsWith(start) || start.startsWith(begun));
}

function failureIn(event: unknown): unknown {
  if (!isRecord(event)) return undefined;
  if (event.type === "response.failed") return recordField(event, "response")?.error ?? event;
  return event.type === "error" ? (event.error ?? event) : (event.error ?? undefined);
}

/** What a promise gives, or `undefined` if the signal is aborted first. */
export async function orNothing<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  signal.addEventListener("abort", end);
  try {
    return await Promise.race([promise, over]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** The stream again, with what was read of it in front. */
function resumed(ahead: Uint8Array[], pending: Read | undefined, reader: Reader): ReadableStream<Uint8Array> {
  let waiting = pending;
  // Whoever reads on hears of it; where nobody does, it is nobody's trouble.
  waiting?.catch(() => undefined);
  return new ReadableStream(
    {
      async pull(controller) {
        const [first] = ahead.splice(0, 1);
        if (first !== undefined) {
          controller.enqueue(first);
          return;
        }
        const reading = waiting ?? reader.read();
        waiting = undefined;
        const { done, value } = await reading;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
