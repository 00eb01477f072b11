import type { Context } from "hono";
import type { ServerEnv } from "../server-env.ts";
import type { Upstream } from "./upstream.ts";
import { wireProblem } from "./wire-problem.ts";

/** Of an answer that is an error: it is read whole, since it may repeat the key. */
const MAX_ERROR_BYTES = 64 * 1024;
const PASSED_ON =
  /^(content-type|retry-after(-ms)?|(x-)?request-id|x-should-retry|(x|anthropic)-ratelimit-.*|openai-processing-ms)$/;

/** Reads along what an answer says, while it is passed on. */
export interface Listener {
  /** Heard before the bytes are passed on: who acts on what they say finds it noted. */
  hear(bytes: Uint8Array): Promise<void>;
  /** The answer came to its end. */
  end(): Promise<void>;
  /** It is over, whether it came to its end or not. */
  leave(): void;
}

/** Passes on what the upstream says as it comes, byte for byte. */
export function passOn(
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

/** An answer that breaks off must not look as if it had come to its end. */
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
            await listener?.hear(value);
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
    // Nothing is read ahead of whoever reads us.
    { highWaterMark: 0 },
  );
}

/** What a refusal says, as much of it as anybody reads. */
export async function readRefusal({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length >= MAX_ERROR_BYTES) break;
  }
  return text.slice(0, MAX_ERROR_BYTES);
}

/** A refusal for who asked. What the server's own settings are to blame for is told in our words. */
export function passRefusalOn(answer: Response, text: string, upstream: Upstream, c: Context<ServerEnv>): Response {
  const { family, setting, hasKey } = upstream;
  const failed = (detail: string) => wireProblem(family, 502, "model-failed", detail);
  if (answer.status < 400) return failed(`The model's server points elsewhere. Set ${setting}_URL to that address.`);
  if (hasKey && (answer.status === 401 || answer.status === 403)) {
    return failed(`The model's server refused the key. Check ${setting}_KEY.`);
  }
  return passOn(answer, upstream.withoutKeys(text, c), c);
}

/** The reason may hold the address or a header: what to do is said, and nothing else. */
export function unreachable({ family }: Upstream): Response {
  const detail = "The model's server cannot be reached. Check that it runs, and its address.";
  return wireProblem(family, 502, "model-failed", detail);
}
