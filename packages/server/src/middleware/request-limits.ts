import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { HTTPException } from "hono/http-exception";
import { timeout } from "hono/timeout";
import { Lru, parseJsonYielding, yieldToEventLoop } from "throughline/internal/util";
import { problem } from "../problem.ts";
import type { ServerEnv } from "../server-env.ts";

/** Rejects bodies above the limit, including those without a Content-Length. */
export function limitBody(maxBytes: number, refuse: (detail: string) => Response | Promise<Response> = tooLarge) {
  const refusal = () =>
    refuse(`The request body is too large: the limit is ${maxBytes / 1024 / 1024} MiB. Split the request.`);
  return createMiddleware<ServerEnv>(async (c, next) => {
    const declared = c.req.header("content-length");
    if (declared !== undefined) return Number(declared) > maxBytes ? refusal() : next();
    // Without either header there is no body.
    if (c.req.header("transfer-encoding") === undefined || c.req.raw.body === null) return next();
    const body = await readUpTo(c.req.raw.body, maxBytes);
    if (body === undefined) return refusal();
    // The cache contains promises, although its type does not declare them.
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

/** Maximum nesting of arrays and objects. Recursive code uses one stack frame per level. */
const MAX_DEPTH = 200;

/** Bytes scanned before yielding to other tasks. */
const PIECE = 256 * 1024;

/** Characters above which a body takes long to parse. */
const LARGE = 1_000_000;

const [QUOTE, BACKSLASH, ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

const decoder = new TextDecoder();

/** Rejects bodies whose JSON is nested too deeply, before they are parsed. */
export function limitDepth() {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const hasBody = c.req.header("content-length") !== undefined || c.req.header("transfer-encoding") !== undefined;
    if (!hasBody) return next();
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    if (await isTooDeep(bytes)) {
      return problem(400, "bad-request", `The JSON body is nested too deeply. Use at most ${MAX_DEPTH} levels.`);
    }
    await yieldToEventLoop();
    const text = decoder.decode(bytes);
    // The cache contains promises, although its type does not declare them.
    c.req.bodyCache.text = Promise.resolve(text) as unknown as string;
    if (text.length > LARGE) {
      await yieldToEventLoop();
      // Parsed in chunks; a syntax error is reported when the body is read.
      const parsed = await parseJsonYielding(text).then(
        (value) => () => Promise.resolve(value),
        (error: unknown) => () => Promise.reject(error),
      );
      c.req.json = parsed as typeof c.req.json;
    }
    return next();
  });
}

/** Yields to other tasks between the chunks of a long body. */
async function isTooDeep(bytes: Uint8Array): Promise<boolean> {
  let depth = 0;
  let pieceEnd = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at >= pieceEnd) {
      await yieldToEventLoop();
      pieceEnd = at + PIECE;
    }
    const byte = bytes[at];
    if (byte === QUOTE) at = textEnd(bytes, at);
    else if (byte === ARRAY || byte === OBJECT) depth += 1;
    else if (byte === ARRAY_END || byte === OBJECT_END) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** The end of the string that starts at this quotation mark. */
function textEnd(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let escapes = 0;
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return bytes.length;
}

/** Callers that are tracked at a time. */
const MAX_COUNT = 10_000;

/** Maximum request rate. */
export interface RateLimit {
  /** Requests per minute and caller. All of them may come in one burst. */
  readonly perMinute: number;
}

interface Bucket {
  left: number;
  /** Monotonic time, because the wall clock can be set back. */
  at: number;
}

/** Limits the request rate per caller. */
export function limitRate({ perMinute }: RateLimit) {
  const buckets = new Lru<string, Bucket>({ maxSize: MAX_COUNT });
  return createMiddleware<ServerEnv>(async (c, next) => {
    const { userId, tokenId } = c.var.caller;
    const name = tokenId ?? `user:${userId}`;
    const bucket = refilled(buckets.get(name), perMinute, performance.now());
    buckets.set(name, bucket);
    if (bucket.left >= 1) {
      bucket.left -= 1;
      return next();
    }
    const seconds = Math.ceil(((1 - bucket.left) * 60) / perMinute);
    const headers = { "retry-after": String(seconds) };
    return problem(
      429,
      "too-many-requests",
      `Rate limit exceeded: ${perMinute} requests per minute. Retry in ${seconds} s.`,
      { headers },
    );
  });
}

function refilled(bucket: Bucket | undefined, perMinute: number, now: number): Bucket {
  if (bucket === undefined) return { left: perMinute, at: now };
  const left = Math.min(perMinute, bucket.left + ((now - bucket.at) * perMinute) / 60_000);
  return { left, at: now };
}

/** Answers 504 if a response does not start in time. The request may still take effect. */
export function limitTime(milliseconds: number) {
  return timeout(milliseconds, () => {
    const res = problem(504, "timed-out", "The request timed out. Check whether it took effect before you retry.");
    return new HTTPException(504, { res });
  });
}

/**
 * Starts queued requests one at a time and yields to the event loop in between. A search over many memories blocks the
 * thread for milliseconds; without the queue, a new request would wait until all earlier clients are done.
 */
export function fairQueue(): MiddlewareHandler {
  const waiting: (() => void)[] = [];
  let isGoing = false;
  const callNext = (): void => {
    const begin = waiting.shift();
    isGoing = begin !== undefined;
    if (begin === undefined) return;
    begin();
    setImmediate(callNext);
  };
  return async (_, next) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (isGoing) return;
      isGoing = true;
      setImmediate(callNext);
    });
    await next();
  };
}
