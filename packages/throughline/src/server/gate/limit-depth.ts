import { createMiddleware } from "hono/factory";
import { problem } from "../problem.ts";
import type { ServerEnv } from "../server-env.ts";

/** Levels of arrays and objects within each other. Code that walks values calls itself once a level. */
const MAX_DEPTH = 200;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Refuses bodies whose JSON is nested too deep, before they are parsed. */
export function limitDepth() {
  return createMiddleware<ServerEnv>(async (c, next) => {
    const hasBody = c.req.header("content-length") !== undefined || c.req.header("transfer-encoding") !== undefined;
    if (hasBody && isTooDeep(new Uint8Array(await c.req.arrayBuffer()))) {
      return problem(400, "bad-request", `The JSON of the body is nested more than ${MAX_DEPTH} levels deep.`);
    }
    return next();
  });
}

function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (OPENING.has(byte)) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (CLOSING.has(byte)) depth -= 1;
  }
  return false;
}
