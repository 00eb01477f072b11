import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import type { StoredEvent } from "../../ports/server-shelf.ts";
import { type ApiApp, createApi } from "../api/api-app.ts";
import { may } from "../api/define-route.ts";
import { idParam } from "../api/schemas/common.ts";
import { placeOf } from "../api/session-routes.ts";
import { findSession } from "../open-session.ts";
import type { ServerEnv } from "../server-env.ts";
import type { Services } from "../services.ts";

/** A comment so often keeps proxies from closing what is quiet. */
const QUIET = 15_000;

const stream = {
  200: {
    description: "Server-sent events: `id` to go on from with Last-Event-ID, `event` the type, `data` as JSON.",
    content: { "text/event-stream": { schema: z.string() } },
  },
} as const;

const request = {
  headers: z.object({
    "last-event-id": z
      .string()
      .optional()
      .openapi({ description: "Goes on behind this event; 0 begins with the first that is kept." }),
  }),
};

const all = createRoute({
  method: "get",
  path: "/events",
  operationId: "listenToEvents",
  tags: ["events"],
  summary: "What happens to sessions and memories",
  ...may("read"),
  request,
  responses: stream,
});

const ofSession = createRoute({
  method: "get",
  path: "/sessions/{id}/events",
  operationId: "listenToSession",
  tags: ["events"],
  summary: "What happens to one session",
  ...may("read"),
  request: { ...request, params: idParam },
  responses: stream,
});

export function eventRoutes(services: Services): ApiApp {
  const app = createApi();
  app.openapi(all, (c) => listen(c, services));
  app.openapi(ofSession, async (c) => {
    const { id } = c.req.valid("param");
    await findSession(placeOf(c, services), id);
    return listen(c, services, id);
  });
  return app;
}

function listen(c: Context<ServerEnv>, { events, stopping }: Services, sessionId?: string): Response {
  const after = readLast(c.req.header("last-event-id"));
  const { userId: owner, projectId } = c.var.caller;
  c.header("cache-control", "no-store");
  return streamSSE(c, async (sse) => {
    const gone = new AbortController();
    sse.onAbort(() => gone.abort());
    const signal = AbortSignal.any([gone.signal, stopping]);
    const wanted = { owner, projectId, signal, ...(sessionId && { sessionId }), ...(after !== undefined && { after }) };
    // Headers reach the client at once, also where nothing happens.
    await sse.write(": listening\n\n");
    let quietSince = Date.now();
    for await (const event of events.listen(wanted)) {
      if (event !== undefined) await sse.writeSSE(describe(event));
      else if (Date.now() - quietSince < QUIET) continue;
      else await sse.write(": still here\n\n");
      quietSince = Date.now();
    }
  });
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
