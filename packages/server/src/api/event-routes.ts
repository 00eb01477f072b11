import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { InvalidOptionError } from "throughline";
import type { StoredEvent } from "throughline/internal/sql";
import { omitUndefined } from "throughline/internal/util";
import { problem } from "../problem.ts";
import type { ServerEnv, Services } from "../server-env.ts";
import { findSession } from "../session-access.ts";
import { createRouter, may, type Router } from "./define-route.ts";
import { idParam } from "./schemas/common.ts";
import { sessionDeps } from "./session-routes.ts";

/** Milliseconds between keep-alive comments, which stop proxies from closing idle streams. */
const QUIET = 15_000;

const stream = {
  200: {
    description: "Server-sent events: `id` for resuming with Last-Event-ID, `event` is the type, `data` is JSON.",
    content: { "text/event-stream": { schema: z.string() } },
  },
} as const;

const request = {
  headers: z.object({
    "last-event-id": z
      .string()
      .optional()
      .openapi({ description: "Resume after this event; 0 replays all retained events." }),
  }),
};

const all = createRoute({
  method: "get",
  path: "/events",
  operationId: "listenToEvents",
  tags: ["events"],
  summary: "Stream events of sessions and memories",
  ...may("read"),
  request,
  responses: stream,
});

const ofSession = createRoute({
  method: "get",
  path: "/sessions/{id}/events",
  operationId: "listenToSession",
  tags: ["events"],
  summary: "Stream events of one session",
  ...may("read"),
  request: { ...request, params: idParam },
  responses: stream,
});

export function eventRoutes(services: Services): Router {
  const app = createRouter();
  app.openapi(all, (c) => listen(c, services));
  app.openapi(ofSession, async (c) => {
    const { id } = c.req.valid("param");
    await findSession(sessionDeps(c, services), id);
    return listen(c, services, id);
  });
  return app;
}

function listen(c: Context<ServerEnv>, { events }: Services, sessionId?: string): Response {
  const after = readLast(c.req.header("last-event-id"));
  c.header("cache-control", "no-store");
  // A HEAD request has no reader that could end the stream.
  if (c.req.method === "HEAD") return c.body(null, 200, { "content-type": "text/event-stream" });
  const { caller } = c.var;
  const subscription = events.subscribe(omitUndefined({ caller, sessionId, after }));
  if (typeof subscription === "string") return tooMany(subscription);
  return streamSSE(c, async (sse) => {
    sse.onAbort(() => subscription.end());
    const keepAlive = setInterval(() => void sse.write(": keep-alive\n\n"), QUIET).unref();
    try {
      // Sends the headers at once, even without events.
      await sse.write(": listening\n\n");
      for await (const event of subscription.events) await sse.writeSSE(describe(event));
    } finally {
      clearInterval(keepAlive);
      subscription.end();
    }
  });
}

function tooMany(whose: "caller" | "server"): Response {
  const headers = { "retry-after": "5" };
  return whose === "caller"
    ? problem(
        429,
        "too-many-requests",
        "Too many event streams are open for this caller. Close one, or retry in 5 s.",
        {
          headers,
        },
      )
    : problem(503, "unavailable", "Too many event streams are open on this server. Retry in 5 s.", { headers });
}

function readLast(header: string | undefined): number | undefined {
  if (header === undefined || header === "") return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new InvalidOptionError("Last-Event-ID", header, "the id of an event");
}

function describe({ sequence, type, at, sessionId, projectId, data }: StoredEvent) {
  const about = { session_id: sessionId, project_id: projectId, at: new Date(at).toISOString() };
  return { id: String(sequence), event: type, data: JSON.stringify({ type, ...about, data }) };
}
