import { createMiddleware } from "hono/factory";
import { parseJsonYielding, yieldToEventLoop } from "throughline/internal/util";
import { problem } from "../problem.ts";
import type { ServerEnv } from "../server-env.ts";

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
      return problem(400, "bad-request", `The JSON body is nested more than ${MAX_DEPTH} levels deep.`);
    }
    await yieldToEventLoop();
    const text = decoder.decode(bytes);
    // The cache holds promises, although its type says otherwise.
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
