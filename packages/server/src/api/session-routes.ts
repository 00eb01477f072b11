import { randomUUID } from "node:crypto";
import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { SessionSummary, WindowEdit, WindowMessage } from "throughline";
import type { SessionState } from "throughline/internal/engine";
import { messageText, omitUndefined, redactMessage } from "throughline/internal/util";
import { extractSoon } from "../jobs/job-kinds.ts";
import { eraseAnswers } from "../middleware/idempotency.ts";
import { notesOf, once, stepwise } from "../middleware/idempotent-steps.ts";
import { problem } from "../problem.ts";
import type { ServerEnv, Services } from "../server-env.ts";
import {
  createSession,
  eraseSession,
  findSession,
  type OpenedSession,
  type SessionDeps,
  seenSessions,
} from "../session-access.ts";
import { answers, created, createRouter, done, jsonBody, may, type Router } from "./define-route.ts";
import { cutAt, cutPage, pageOf, pageQuery, readCursor, readPosition } from "./pagination.ts";
import { idParam, Time } from "./schemas/common.ts";
import {
  AppendBody,
  AppendedSchema,
  CreateSessionBody,
  EditBody,
  EditSchema,
  MessageSchema,
  SessionSchema,
  UndoEditBody,
  WindowMessageSchema,
} from "./schemas/session.ts";
import { fromBodies, fromWire, streamJson, toBodies, toWire } from "./wire-json.ts";

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
    if (id === undefined)
      return problem(409, "conflict", `Session ${given} already exists. Use another id, or append to it.`) as never;
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
    // If an earlier attempt erased the session record, the session is not found.
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
    const from = readPosition(cursor);
    const key = { userId: c.var.caller.userId, sessionId: session.id };
    const found = await services.store.messages.list(key, { from, limit: limit + 1 });
    const { items, next_cursor } = cutPage(found, limit, () => String(from + limit));
    return streamJson({ items: toBodies(items), next_cursor }) as never;
  });
}

const PresentWindow = pageOf(WindowMessageSchema)
  .extend({ tokens: z.int(), total: z.int() })
  .openapi("PresentWindow", { description: "The messages of the next request, and their total tokens." });

const window = createRoute({
  method: "get",
  path: "/sessions/{id}/window",
  operationId: "readPresentWindow",
  tags,
  summary: "Read the current window, message by message",
  ...may("read"),
  request: { params: idParam, query: z.object(pageQuery) },
  responses: answers(PresentWindow, "A page of the window. Secrets are masked."),
});

const edit = createRoute({
  method: "post",
  path: "/sessions/{id}/edits",
  operationId: "editWindow",
  tags,
  summary: "Pin or mask content of the window, or release it",
  ...may("write"),
  request: { params: idParam, ...jsonBody(EditBody) },
  responses: answers(EditSchema, "The edit with its costs."),
});

const EditsSchema = z.object({ items: z.array(EditSchema) }).openapi("WindowEdits");

const edits = createRoute({
  method: "get",
  path: "/sessions/{id}/edits",
  operationId: "listEdits",
  tags,
  summary: "List edits of the window, including undone ones",
  ...may("read"),
  request: { params: idParam },
  responses: answers(EditsSchema, "The newest edits, oldest first."),
});

const undo = createRoute({
  method: "post",
  path: "/sessions/{id}/edits/undo",
  operationId: "undoEdit",
  tags,
  summary: "Undo an edit of the window",
  ...may("write"),
  request: { params: idParam, ...jsonBody(UndoEditBody) },
  responses: done("The edit was undone."),
});

export function editRoutes(services: Services): Router {
  const app = createRouter();
  addReads(app, services);
  addWrites(app, services);
  return app;
}

function addReads(app: Router, services: Services): void {
  app.openapi(window, async (c) => {
    const { session } = await findSession(sessionDeps(c, services), c.req.valid("param").id);
    const messages = await session.window.messages();
    const page = cutAt(messages, c.req.valid("query"));
    const tokens = messages.reduce((sum, one) => sum + one.tokens, 0);
    const answer = { ...page, items: page.items.map(describeMessage), tokens, total: messages.length };
    return c.json(toWire(PresentWindow, answer), 200);
  });
  app.openapi(edits, async (c) => {
    const { session } = await findSession(sessionDeps(c, services), c.req.valid("param").id);
    return c.json(toWire(EditsSchema, { items: await session.window.edits() }), 200);
  });
}

function describeMessage({ message, tokens, pinned, masked }: WindowMessage) {
  const { id: messageId, role, isSummary = false } = message;
  const isShortened = message.parts.some((part) => "compactedAt" in part && part.type === "tool-result");
  const text = messageText(redactMessage(message).message);
  return { messageId, role, tokens, text, isSummary, isPruned: isShortened && masked.length === 0, pinned, masked };
}

function addWrites(app: Router, services: Services): void {
  app.openapi(edit, async (c) => {
    const { id } = c.req.valid("param");
    const { kind, handles, dryRun = false } = fromWire(c.req.valid("json"));
    const { session } = await findSession(sessionDeps(c, services), id);
    const made = await once(
      "edit",
      () => session.window[kind](handles, { dryRun }),
      (write) => (write.op === "session" ? newestEdit(write.commit.state) : undefined),
    );
    if (!dryRun) {
      const data = { edit_id: made.id, kind };
      await services.events.publish(c.var.caller, { type: "session:edited", sessionId: id, data });
    }
    return c.json(toWire(EditSchema, made), 200);
  });
  app.openapi(undo, async (c) => {
    const { id } = c.req.valid("param");
    const { edit_id } = c.req.valid("json");
    const { session } = await findSession(sessionDeps(c, services), id);
    await once(
      "undo",
      () => session.window.undo(edit_id).then(() => true),
      ({ op }) => op === "session" || undefined,
    );
    await services.events.publish(c.var.caller, { type: "session:edited", sessionId: id, data: { edit_id } });
    return c.body(null, 204);
  });
}

function newestEdit(state: unknown): WindowEdit | undefined {
  return (state as SessionState | undefined)?.edits?.at(-1);
}
