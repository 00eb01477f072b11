import { InvalidMessageError } from "throughline";
import { parseOverflowError } from "throughline/ai-sdk";
import { tryParseJson } from "throughline/internal/util";
import type { ProxyTurn } from "../proxy-turn.ts";
import type { AnswerReader } from "../wire/wire.ts";
import { EventStreamReader } from "./event-stream.ts";
import type { Listener } from "./forward.ts";

/** Longer non-streaming responses are forwarded without being read. */
const MAX_BYTES = 32 * 1024 * 1024;

export function isEventStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}

/**
 * Reads the response while it is forwarded, and stores it in the session before its end reaches the client, so that a
 * follow-up request finds it. Errors here never reach the client.
 */
export function teeResponse(
  turn: ProxyTurn,
  reader: AnswerReader,
  isStream: boolean,
  onError: (error: unknown) => void,
): Listener {
  const events = new EventStreamReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isOver = false;
  /** Stops after an error: a partial answer is not stored. */
  const read = async (work: () => Promise<void> | void) => {
    if (isOver) return;
    try {
      await work();
    } catch (error) {
      isOver = true;
      // An unreadable answer comes back with the client's next request.
      if (!(error instanceof InvalidMessageError)) onError(error);
    }
  };
  const takeIn = async () => {
    isOver = true;
    const overflow = parseOverflowError(reader.failure);
    if (overflow !== undefined) await turn.learn(overflow);
    const answer = reader.answer();
    if (answer !== undefined) await turn.takeIn(answer);
  };
  return {
    read: (bytes) =>
      read(async () => {
        size += bytes.length;
        if (isStream) for (const data of events.push(bytes)) reader.event(data);
        else if (size <= MAX_BYTES) chunks.push(bytes);
        if (isStream && reader.isFinished && !reader.isOpenEnded) await takeIn();
      }),
    end: () =>
      read(async () => {
        if (!isStream && size <= MAX_BYTES) reader.body(tryParseJson(Buffer.concat(chunks).toString())?.value);
        await takeIn();
      }),
    leave: () => turn.leave(),
  };
}
