import { createMiddleware } from "hono/factory";
import { problem } from "../problem.ts";
import type { ServerEnv } from "../server-env.ts";

/** Rejects bodies above the limit, including those without a Content-Length. */
export function limitBody(maxBytes: number, refuse: (detail: string) => Response | Promise<Response> = tooLarge) {
  const refusal = () => refuse(`The request body is too large: the limit is ${maxBytes / 1024 / 1024} MiB.`);
  return createMiddleware<ServerEnv>(async (c, next) => {
    const declared = c.req.header("content-length");
    if (declared !== undefined) return Number(declared) > maxBytes ? refusal() : next();
    // Without either header there is no body.
    if (c.req.header("transfer-encoding") === undefined || c.req.raw.body === null) return next();
    const body = await readUpTo(c.req.raw.body, maxBytes);
    if (body === undefined) return refusal();
    // The cache holds promises, although its type says otherwise.
    c.req.bodyCache.arrayBuffer = Promise.resolve(body) as unknown as ArrayBuffer;
    return next();
  });
}

async function readUpTo(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<ArrayBuffer | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > maxBytes) return undefined;
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces)).buffer;
}

function tooLarge(detail: string): Response {
  return problem(413, "body-too-large", detail);
}
