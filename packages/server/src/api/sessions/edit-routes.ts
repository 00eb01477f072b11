import { createRoute, z } from "@hono/zod-openapi";
import type { WindowEdit, WindowMessage } from "throughline";
import type { SessionState } from "throughline/internal/engine";
import { messageText, redactMessage } from "throughline/internal/util";
import { once } from "../../middleware/retry-steps.ts";
import type { Services } from "../../services.ts";
import { findSession } from "../../session-access.ts";
import { answers, done, jsonBody, may } from "../define-route.ts";
import { cutPage, pageOf, pageQuery, readCursor } from "../pagination.ts";
import { createRouter, type Router } from "../router.ts";
import { idParam } from "../schemas/common.ts";
import { EditBody, EditSchema, UndoEditBody, WindowMessageSchema } from "../schemas/session.ts";
import { fromWire, toWire } from "../wire-json.ts";
import { readPosition, sessionDeps } from "./session-routes.ts";

const tags = ["sessions"];

const PresentWindow = pageOf(WindowMessageSchema)
  .extend({ tokens: z.int(), total: z.int() })
  .openapi("PresentWindow", { description: "The messages of the next request, and their tokens in all." });

const window = createRoute({
  method: "get",
  path: "/sessions/{id}/window",
  operationId: "readPresentWindow",
  tags,
  summary: "Read the present window, message by message",
  ...may("read"),
  request: { params: idParam, query: z.object(pageQuery) },
  responses: answers(PresentWindow, "A page of the window. Secrets are masked."),
});

const edit = createRoute({
  method: "post",
  path: "/sessions/{id}/edits",
  operationId: "editWindow",
  tags,
  summary: "Pin content in the window, take it out, or release it",
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
    const { cursor, limit } = c.req.valid("query");
    const messages = await session.window.messages();
    const from = readPosition(readCursor(cursor));
    const page = cutPage(messages.slice(from, from + limit + 1), limit, () => String(from + limit));
    const tokens = messages.reduce((sum, one) => sum + one.tokens, 0);
    const answer = { ...page, items: page.items.map(describe), tokens, total: messages.length };
    return c.json(toWire(PresentWindow, answer), 200);
  });
  app.openapi(edits, async (c) => {
    const { session } = await findSession(sessionDeps(c, services), c.req.valid("param").id);
    return c.json(toWire(EditsSchema, { items: await session.window.edits() }), 200);
  });
}

function describe({ message, tokens, pinned, masked }: WindowMessage) {
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
