import { isRecord, type JsonRecord, recordField, tryParseJson } from "throughline/internal/util";

/** Parses the data of server-sent events from bytes. */
export class EventStreamReader {
  readonly #decoder = new TextDecoder();
  #rest = "";
  #data: string[] = [];

  /** The data of each event that is complete now. */
  push(bytes: Uint8Array): string[] {
    this.#rest += this.#decoder.decode(bytes, { stream: true });
    const events: string[] = [];
    for (;;) {
      const end = /\r\n|\n|\r(?!$)/.exec(this.#rest);
      if (end === null) return events;
      this.#line(this.#rest.slice(0, end.index), events);
      this.#rest = this.#rest.slice(end.index + end[0].length);
    }
  }

  #line(line: string, events: string[]): void {
    if (line === "") {
      if (this.#data.length > 0) events.push(this.#data.join("\n"));
      this.#data = [];
    } else if (line.startsWith("data:")) {
      this.#data.push(line.slice("data:".length).replace(/^ /, ""));
    }
  }
}

/** Milliseconds to hold back a start without content: refusals arrive at once. */
const TIMEOUT_MS = 1_000;

/** Stream openings that could still turn out to be a refusal. */
export interface Openings {
  /** First characters of such events, without whitespace. */
  readonly starts: readonly string[];
  /** True if an event has no content yet. */
  isPreamble(event: JsonRecord): boolean;
}

/** Start of an error event. */
export const ERROR_STARTS: readonly string[] = ["event:error", 'data:{"error"', 'data:{"type":"error"'];

/** A stream whose start was inspected. */
interface SniffedStream {
  /** The whole stream, from its first byte. */
  readonly body: ReadableStream<Uint8Array>;
  /** The error event, if the stream started with one. */
  readonly failure: unknown;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Read = ReturnType<Reader["read"]>;

/**
 * Checks whether an event stream starts with an error: some providers refuse in the stream instead of with a status.
 * Bytes that can belong to an answer are forwarded at once.
 */
export async function sniffStream(stream: ReadableStream<Uint8Array>, openings: Openings): Promise<SniffedStream> {
  const reader = stream.getReader();
  const ahead: Uint8Array[] = [];
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const events = new EventStreamReader();
  const decoder = new TextDecoder();
  let text = "";
  let pending: Read | undefined;
  for (;;) {
    pending = reader.read();
    const read = await orAborted(pending, timeout);
    if (read === undefined) break;
    pending = undefined;
    if (read.done) break;
    ahead.push(read.value);
    text += decoder.decode(read.value, { stream: true });
    const values = events.push(read.value).map((data) => tryParseJson(data)?.value);
    const opening = values.find((event) => !isRecord(event) || !openings.isPreamble(event));
    if (opening !== undefined) return { body: resumed(ahead, undefined, reader), failure: failureIn(opening) };
    if (!mayRefuse(text.split(/\r?\n\r?\n/).at(-1) ?? "", openings)) break;
  }
  return { body: resumed(ahead, pending, reader), failure: undefined };
}

/** True if an incomplete event can still become an error. */
function mayRefuse(open: string, { starts }: Openings): boolean {
  const begun = open.replace(/\s/g, "");
  return starts.some((start) => begun.startsWith(start) || start.startsWith(begun));
}

function failureIn(event: unknown): unknown {
  if (!isRecord(event)) return undefined;
  if (event.type === "response.failed") return recordField(event, "response")?.error ?? event;
  return event.type === "error" ? (event.error ?? event) : (event.error ?? undefined);
}

/** The value of a promise, or `undefined` if the signal is aborted first. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  signal.addEventListener("abort", end);
  try {
    return await Promise.race([promise, over]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** The stream with the already read bytes in front. */
function resumed(ahead: Uint8Array[], pending: Read | undefined, reader: Reader): ReadableStream<Uint8Array> {
  let waiting = pending;
  // The next reader gets the error; without one it is ignored.
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
