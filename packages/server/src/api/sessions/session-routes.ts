import { randomUUID } from "node:crypto";
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { SessionSummary } from "throughline";
import { omitUndefined } from "throughline/internal/util";
import { extractSoon } from "../../jobs/job-kinds.ts";
import { eraseAnswers } from "../../middleware/idempotency.ts";
import { notesOf, once, stepwise } from "../../middleware/retry-steps.ts";
import { problem } from "../../problem.ts";
import type { ServerEnv } from "../../server-env.ts";
import type { Services } from "../../services.ts";
import {
  createSession,
  eraseSession,
  findSession,
  type OpenedSession,
  type SessionDeps,
  seenSessions,
} from "../../session-access.ts";
import { answers, created, done, jsonBody, may } from "../define-route.ts";
import { cutPage, pageOf, pageQuery, readCursor } from "../pagination.ts";
import { createRouter, type Router } from "../router.ts";
import { idParam, Time } from "../schemas/common.ts";
import { AppendBody, AppendedSchema, CreateSessionBody, MessageSchema, SessionSchema } from "../schemas/session.ts";
import { streamJson } from "../stream-json.ts";
import { fromWire, toWire } from "../wire-json.ts";
import { fromBodies, toBodies } from "./message-bodies.ts";

const tags = ["sessions"];
/** Sessions read per query while looking for those that the caller may see. */
const SCANNED = 200;

const create = createRoute({
  method: "post",
  path: "/sessions",
  operationId: "createSession",
  tags,
  summary: "Create a session",
  ...may("write"),
  request: jsonBody(CreateSessionBody),
  responses: created(SessionSchema, "The session. Creating an existing session is a conflict."),
});

const ListedSchema = z
  .object({
    session_id: z.string(),
    created_at: Time,
    updated_at: Time,
    appended: z.int(),
    compactions: z.int(),
    receipts: z.int(),
  })
  .openapi("ListedSession");

const list = createRoute({
  method: "get",
  path: "/sessions",
  operationId: "listSessions",
  tags,
  summary: "List sessions with messages, ordered by id",
  ...may("read"),
  request: { query: z.object(pageQuery) },
  responses: answers(pageOf(ListedSchema).openapi("SessionPage"), "A page of sessions."),
});

const get = createRoute({
  method: "get",
  path: "/sessions/{id}",
  operationId: "getSession",
  tags,
  summary: "Get the state of a session",
  ...may("read"),
  request: { params: idParam },
  responses: answers(SessionSchema, "Key figures of the session."),
});

const purge = createRoute({
  method: "delete",
  path: "/sessions/{id}",
  operationId: "purgeSession",
  tags,
  summary: "Erase a session and everything extracted from it, permanently",
  ...may("write"),
  request: { params: idParam },
  responses: done("The session was erased."),
});

const append = createRoute({
  method: "post",
  path: "/sessions/{id}/messages",
  operationId: "appendMessages",
  tags,
  summary: "Append messages; their tokens are counted once",
  ...may("write"),
  request: { params: idParam, ...jsonBody(AppendBody) },
  responses: answers(AppendedSchema, "The number of messages in the session."),
});

const MessagePage = pageOf(MessageSchema).openapi("MessagePage");

const history = createRoute({
  method: "get",
  path: "/sessions/{id}/messages",
  operationId: "readHistory",
  tags,
  summary: "List all appended messages, in order",
  ...may("read"),
  request: { params: idParam, query: z.object(pageQuery) },
  responses: answers(MessagePage, "A page of messages."),
});

export function sessionDeps(c: Context<ServerEnv>, { store }: Services): SessionDeps {
  const { caller, throughline } = c.var;
  const { userId, projectId } = caller;
  return { documents: store.documents, userId, projectId, throughline };
}

export function sessionRoutes(services: Services): Router {
  const app = createRouter();
  addSessions(app, services);
  addMessages(app, services);
  return app;
}

async function describe(id: string, { session, options }: OpenedSession) {
  return toWire(SessionSchema, { id, options, ...(await session.status()) });
}

/** A page of the sessions that the caller may see. The cursor never contains ids of other sessions. */
async function seenPage(place: SessionDeps, after: string | undefined, limit: number) {
  const found: { readonly storedId: string; readonly session: SessionSummary }[] = [];
  for (let last = after; found.length <= limit; ) {
    const page = await place.throughline.sessions(omitUndefined({ after: last, limit: SCANNED }));
    const seen = await seenSessions(
      place,
      page.map((session) => ({ ...session, storedId: session.sessionId })),
    );
    found.push(...seen.map(({ storedId, ...session }) => ({ storedId, session })));
    last = page.at(-1)?.sessionId;
    if (page.length < SCANNED) break;
  }
  return cutPage(found, limit, ({ storedId }) => storedId);
}

function addSessions(app: Router, services: Services): void {
  app.openapi(create, async (c) => {
    const { id: given = randomUUID(), ...options } = fromWire(c.req.valid("json"));
    const place = sessionDeps(c, services);
    const id = await once(
      "create",
      async () => ((await createSession(place, given, omitUndefined(options))) ? given : undefined),
      ({ op }) => (op === "document" ? given : undefined),
    );
    if (id === undefined) return problem(409, "conflict", `Session ${given} already exists.`) as never;
    const opened = await findSession(place, id);
    await services.events.publish(c.var.caller, { type: "session:created", sessionId: id, data: {} });
    return c.json(await describe(id, opened), 201);
  });
  app.openapi(list, async (c) => {
    const { cursor, limit } = c.req.valid("query");
    const { items, next_cursor } = await seenPage(sessionDeps(c, services), readCursor(cursor), limit);
    return c.json({ items: items.map(({ session }) => toWire(ListedSchema, session)), next_cursor }, 200);
  });
  app.openapi(get, async (c) => {
    const { id } = c.req.valid("param");
    return c.json(await describe(id, await findSession(sessionDeps(c, services), id)), 200);
  });
  app.openapi(purge, async (c) => {
    const { id } = c.req.valid("param");
    const place = sessionDeps(c, services);
    // An earlier attempt may have erased so much that the session is no longer found.
    if (notesOf("purge").length === 0) await findSession(place, id);
    await stepwise(
      "purge",
      () => eraseSession(place, id),
      ({ op }) => op === "erase" || op === "purge" || undefined,
    );
    await eraseAnswers(c, "own");
    await services.events.publish(c.var.caller, { type: "session:purged", sessionId: id, data: {} });
    return c.body(null, 204);
  });
}

function addMessages(app: Router, services: Services): void {
  app.openapi(append, async (c) => {
    const { id } = c.req.valid("param");
    const { session, options } = await findSession(sessionDeps(c, services), id);
    const appended = await once(
      "append",
      () => {
        const messages = fromBodies(c.req.valid("json").messages);
        return services.events.publishAppend(c.var.caller, id, () => session.append(messages));
      },
      (write) => (write.op === "append" ? write.at + write.count : undefined),
    );
    const { userId, projectId } = c.var.caller;
    if (options.remember === true) {
      await services.jobs.add(extractSoon(userId, projectId, session.id, services.clock.now()));
    }
    return c.json({ appended }, 200);
  });
  app.openapi(history, async (c) => {
    const { id } = c.req.valid("param");
    const { cursor, limit } = c.req.valid("query");
    const { session } = await findSession(sessionDeps(c, services), id);
    const from = readPosition(readCursor(cursor));
    const key = { userId: c.var.caller.userId, sessionId: session.id };
    const found = await services.store.messages.list(key, { from, limit: limit + 1 });
    const { items, next_cursor } = cutPage(found, limit, () => String(from + limit));
    return streamJson({ items: toBodies(items), next_cursor }) as never;
  });
}

/** The cursor of a message page is a position. */
export function readPosition(cursor: string | undefined): number {
  const position = Number(cursor ?? 0);
  return Number.isSafeInteger(position) && position >= 0 ? position : 0;
}
