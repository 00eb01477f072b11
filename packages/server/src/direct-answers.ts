import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

// A `Response` of Node's fetch holds its body as a stream. Reading a short JSON text back takes as long as a write to
// the database, so the text is cached beside the response and written to the socket directly.

const texts = new WeakMap<Response, string>();

/** Remembers the text of each answer that a route makes with `c.json` or with a text as `c.body`. */
export function rememberTexts(): MiddlewareHandler {
  return async (c, next) => {
    const body = c.body.bind(c) as (...args: unknown[]) => Response;
    const remembered = (...args: unknown[]) => {
      const response = body(...args);
      if (typeof args[0] === "string") texts.set(response, args[0]);
      return response;
    };
    c.body = remembered as typeof c.body;
    const json = (value: unknown, status?: ContentfulStatusCode, headers?: Record<string, string>) =>
      remembered(JSON.stringify(value), status, { ...headers, "content-type": "application/json" });
    c.json = json as unknown as typeof c.json;
    await next();
  };
}

/**
 * Writes an answer whose text is known.
 *
 * @returns the response for the adapter: the given one, if it still has to be written.
 */
export function writeDirectly(response: Response, outgoing: ServerResponse): Response {
  const text = texts.get(response);
  if (text === undefined || outgoing.headersSent) return response;
  const headers: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    headers[name] = value;
  });
  headers["content-length"] = String(Buffer.byteLength(text));
  outgoing.writeHead(response.status, headers);
  outgoing.end(text);
  return RESPONSE_ALREADY_SENT;
}
