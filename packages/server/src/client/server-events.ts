import { checkOptions, OBJECT, TEXT } from "throughline/internal/util";
import { type ClientOptions, read, send } from "./call-server.ts";
import { ProblemError } from "./problem-error.ts";

/** An event of the server. */
export interface ServerEvent {
  /** Id for resuming. */
  readonly id: string;
  /** Type, such as `session:appended`. */
  readonly type: string;
  readonly session_id?: string;
  readonly project_id?: string;
  /** Time of the event, in ISO 8601. */
  readonly at: string;
  /** Details, by type. */
  readonly data: unknown;
}

/** Options of event streams. */
export interface ListenOptions {
  /** Resumes after this event; `"0"` replays all retained events. Default: new events only. */
  readonly after?: string;
  /** Ends the stream. */
  readonly signal?: AbortSignal;
}

const PAUSE = 1_000;

/** Yields events as they arrive. If the connection breaks, it reconnects and resumes without a gap. */
export async function* readEvents(
  options: ClientOptions,
  path: readonly string[],
  listen: ListenOptions = {},
): AsyncGenerator<ServerEvent> {
  checkOptions("client.events", listen, { after: TEXT, signal: OBJECT });
  const { after, signal } = listen;
  let last = after;
  const isOver = (): boolean => signal?.aborted === true;
  while (!isOver()) {
    try {
      for await (const event of listenOnce(options, path, last, signal)) {
        last = event.id;
        yield event;
      }
    } catch (error) {
      if (isOver()) return;
      if (error instanceof ProblemError && error.status < 500) throw error;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, PAUSE);
    });
  }
}

async function* listenOnce(
  options: ClientOptions,
  path: readonly string[],
  last: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerEvent> {
  const headers: Record<string, string> = {
    accept: "text/event-stream",
    ...(last !== undefined && { "last-event-id": last }),
  };
  const answer = await send(options, { method: "GET", path, headers, ...(signal && { signal }) });
  if (!answer.ok || answer.body === null) {
    await read(answer);
    return;
  }
  let text = "";
  for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + piece).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = readBlock(block);
      if (event !== undefined) yield event;
    }
  }
}

/** Parses an event. Comments are keep-alives and have no content. */
function readBlock(block: string): ServerEvent | undefined {
  const fields = new Map(block.split("\n").map((line) => splitOnce(line)));
  const data = fields.get("data");
  return data === undefined ? undefined : { id: fields.get("id") ?? "", ...JSON.parse(data) };
}

function splitOnce(line: string): readonly [string, string] {
  const place = line.indexOf(": ");
  return place < 0 ? [line, ""] : [line.slice(0, place), line.slice(place + 2)];
}
