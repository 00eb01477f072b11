import type { Context } from "hono";
import { InvalidMessageError } from "throughline";
import { parseOverflowError } from "throughline/ai-sdk";
import { tryParseJson } from "throughline/internal/util";
import type { ServerEnv } from "../../server-env.ts";
import type { ProxyTurn } from "../proxy-turn.ts";
import { type AnswerReader, wireProblem } from "../wire/wire.ts";
import { EventStreamReader } from "./event-stream.ts";
import type { Upstream } from "./upstream.ts";

/** Maximum size of an error response. It is read as a whole because it may contain the key. */
const MAX_ERROR_BYTES = 64 * 1024;
const PASSED_ON =
  /^(content-type|retry-after(-ms)?|(x-)?request-id|x-should-retry|(x|anthropic)-ratelimit-.*|openai-processing-ms)$/;

/** Receives the bytes of a response while it is forwarded. */
interface Listener {
  /** Called before the bytes are forwarded, so that a client that reacts to them finds them stored. */
  read(bytes: Uint8Array): Promise<void>;
  /** Called at the complete end of the response. */
  end(): Promise<void>;
  /** Called in any case, whether the response was complete or not. */
  leave(): void;
}

/** Forwards the upstream response byte for byte as it arrives. */
export function forwardResponse(
  answer: Response,
  body: ReadableStream<Uint8Array> | string | null,
  { env }: Context<ServerEnv>,
  listener?: Listener,
): Response {
  const headers = [...answer.headers].filter(([name]) => PASSED_ON.test(name));
  const stream = body instanceof ReadableStream ? untilCutOff(body, () => env.outgoing.destroy(), listener) : body;
  if (stream === body) listener?.leave();
  return new Response(stream, { status: answer.status, headers: [...headers, ["cache-control", "no-store"]] });
}

/** An interrupted response must not look complete. */
function untilCutOff(
  body: ReadableStream<Uint8Array>,
  cutOff: () => void,
  listener: Listener | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) {
            await listener?.read(value);
            controller.enqueue(value);
            return;
          }
          await listener?.end();
          controller.close();
        } catch {
          cutOff();
          controller.close();
        }
        listener?.leave();
      },
      async cancel(reason) {
        listener?.leave();
        await reader.cancel(reason);
      },
    },
    // Read only as fast as the client reads.
    { highWaterMark: 0 },
  );
}

/** The text of an error response, up to the maximum size. */
export async function readRefusal({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length >= MAX_ERROR_BYTES) break;
  }
  return text.slice(0, MAX_ERROR_BYTES);
}

/** Forwards an error response. Errors caused by the server's own settings get Throughline's own text. */
export function forwardRefusal(answer: Response, text: string, upstream: Upstream, c: Context<ServerEnv>): Response {
  const { family, setting, hasKey } = upstream;
  const failed = (detail: string) => wireProblem(family, 502, "model-failed", detail);
  if (answer.status < 400)
    return failed(`The upstream answered with a redirect. Set ${setting}_URL to the target address.`);
  if (hasKey && (answer.status === 401 || answer.status === 403)) {
    return failed(`The upstream rejected the API key. Check ${setting}_KEY.`);
  }
  return forwardResponse(answer, upstream.withoutKeys(text, c), c);
}

/** The cause may contain the address or a header, so the text contains only the advice. */
export function unreachable({ family }: Upstream): Response {
  const detail = "The upstream is unreachable. Check that it is running and that its URL is correct.";
  return wireProblem(family, 502, "model-failed", detail);
}

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
