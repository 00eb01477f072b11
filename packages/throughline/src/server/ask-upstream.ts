import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { problem } from "./problem.ts";
import type { UpstreamModel } from "./upstream-model.ts";

/** Of an answer that is an error: it is read whole, since it may repeat the key. */
const MOST_ERROR_BYTES = 64 * 1024;
const PASSED_ON = /^(content-type|retry-after|x-request-id|x-ratelimit-.*)$/;

/** Asks the upstream, for as long as whoever asked us is there, and passes on what it says as it comes. */
export async function askUpstream(
  upstream: UpstreamModel,
  path: string,
  { req, env }: Context<{ Bindings: HttpBindings }>,
  body?: ArrayBuffer | string,
): Promise<Response> {
  try {
    const answer = await fetch(`${upstream.url.replace(/\/+$/, "")}/${path}`, {
      method: req.method,
      headers: requestHeaders(upstream, body !== undefined),
      body: body ?? null,
      redirect: "manual",
      signal: req.raw.signal,
    });
    if (!answer.ok) return await refusal(answer, upstream);
    return passOn(answer, answer.body && untilCutOff(answer.body, () => env.outgoing.destroy()));
  } catch {
    // The reason may hold the address or a header: what to do is said, and nothing else.
    return problem(502, "model-failed", "The model's server cannot be reached. Check that it runs, and its address.");
  }
}

/** Nothing of the browser's own goes along: neither its cookies nor a key of its own. */
function requestHeaders({ key }: UpstreamModel, hasBody: boolean): Record<string, string> {
  return {
    // What is packed would be unpacked on the way, and not come as it is.
    "accept-encoding": "identity",
    ...(hasBody && { "content-type": "application/json" }),
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
}

function passOn(answer: Response, body: ReadableStream<Uint8Array> | string | null): Response {
  const headers = [...answer.headers].filter(([name]) => PASSED_ON.test(name));
  return new Response(body, { status: answer.status, headers: [...headers, ["cache-control", "no-store"]] });
}

/** An answer that breaks off must not look as if it had come to its end. */
function untilCutOff(body: ReadableStream<Uint8Array>, cutOff: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch {
          cutOff();
          controller.close();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read ahead of whoever reads us.
    { highWaterMark: 0 },
  );
}

async function refusal(answer: Response, { key }: UpstreamModel): Promise<Response> {
  if (answer.status < 400) {
    await answer.body?.cancel();
    return problem(
      502,
      "model-failed",
      "The model's server points elsewhere. Set THROUGHLINE_MODEL_URL to that address.",
    );
  }
  if (answer.status === 401 || answer.status === 403) {
    await answer.body?.cancel();
    return problem(502, "model-failed", "The model's server refused the key. Check THROUGHLINE_MODEL_KEY.");
  }
  const text = await beginning(answer.body);
  return passOn(answer, key === undefined ? text : text.replaceAll(key, "[key]"));
}

async function beginning(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length >= MOST_ERROR_BYTES) break;
  }
  return text.slice(0, MOST_ERROR_BYTES);
}
