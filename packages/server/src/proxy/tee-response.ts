import { InvalidMessageError } from "throughline";
import { recogniseOverflow } from "throughline/ai-sdk";
import { tryParseJson } from "throughline/internal";
import { EventStreamReader } from "./event-stream.ts";
import type { Listener } from "./forward.ts";
import type { ProxyTurn } from "./proxy-turn.ts";
import type { AnswerReader } from "./wire/wire.ts";

/** An answer that does not stream and is longer than this is passed on without being read. */
const MAX_BYTES = 32 * 1024 * 1024;

export function isEventStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}

/**
 * Reads along what the model says and adds it to the session before its end is passed on: whoever goes on from there
 * finds it. Nothing that goes wrong here reaches the one who waits for the answer.
 */
export function hearAnswer(
  turn: ProxyTurn,
  reader: AnswerReader,
  isStream: boolean,
  onError: (error: unknown) => void,
): Listener {
  const events = new EventStreamReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isOver = false;
  /** Reads on, unless something went wrong before: half an answer is not stored. */
  const read = async (work: () => Promise<void> | void) => {
    if (isOver) return;
    try {
      await work();
    } catch (error) {
      isOver = true;
      // What cannot be read comes back with the client's next request.
      if (!(error instanceof InvalidMessageError)) onError(error);
    }
  };
  const takeIn = async () => {
    isOver = true;
    const overflow = recogniseOverflow(reader.failure);
    if (overflow !== undefined) await turn.learn(overflow);
    const answer = reader.answer();
    if (answer !== undefined) await turn.takeIn(answer);
  };
  return {
    hear: (bytes) =>
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
