import { createRoute, z } from "@hono/zod-openapi";
import type { Message, Receipt } from "throughline";
import { type CompactionEvent, fromStored, turnWindows } from "throughline/internal/engine";
import { convertRichToModel } from "throughline/messages";
import type { Commit } from "throughline/store";
import { pruneSoon } from "../jobs/job-kinds.ts";
import { once, type StoreWrite } from "../middleware/idempotent-steps.ts";
import type { Services } from "../server-env.ts";
import { findSession } from "../session-access.ts";
import { answers, createRouter, done, jsonBody, may, type Router } from "./define-route.ts";
import { pageQuery } from "./pagination.ts";
import { idParam } from "./schemas/common.ts";
import {
  CompactBody,
  CompactedSchema,
  CompactionSchema,
  ObserveBody,
  PrepareBody,
  PreviewBody,
  PreviewSchema,
  RecallBody,
  RecalledSchema,
  ReceiptSchema,
  ReceiptTotals,
  RestoreBody,
  TurnSchema,
} from "./schemas/session.ts";
import { sessionDeps } from "./session-routes.ts";
import { fromWire, toBodies, toWire } from "./wire-json.ts";

const tags = ["sessions"];

const prepareQuery = z.object({
  receipt: z
    .enum(["totals", "full"])
    .default("totals")
    .openapi({ description: "`full` answers with the whole receipt instead of its id and totals." }),
});

const prepare = createRoute({
  method: "post",
  path: "/sessions/{id}/prepare",
  operationId: "prepareTurn",
  tags,
  summary: "Prepare the window for the next model call: valid, within the budget, with a receipt",
  ...may("write"),
  request: { params: idParam, query: prepareQuery, ...jsonBody(PrepareBody) },
  responses: answers(TurnSchema, "The window."),
});

const compact = createRoute({
  method: "post",
  path: "/sessions/{id}/compact",
  operationId: "compactSession",
  tags,
  summary: "Compact a session",
  ...may("write"),
  request: { params: idParam, ...jsonBody(CompactBody) },
  responses: answers(CompactedSchema, "The compaction and the window after it."),
});

const preview = createRoute({
  method: "post",
  path: "/sessions/{id}/preview",
  operationId: "previewCompaction",
  tags,
  summary: "Preview what a compaction would remove, keep and cost",
  ...may("read"),
  request: { params: idParam, ...jsonBody(PreviewBody) },
  responses: answers(PreviewSchema, "The preview; null if a compaction would save no tokens."),
});

const restore = createRoute({
  method: "post",
  path: "/sessions/{id}/restore",
  operationId: "restoreCompaction",
  tags,
  summary: "Undo a compaction, and those that include it",
  ...may("write"),
  request: { params: idParam, ...jsonBody(RestoreBody) },
  responses: done("The compaction is undone; repeating the request changes nothing."),
});

const recall = createRoute({
  method: "post",
  path: "/sessions/{id}/recall",
  operationId: "recallHandle",
  tags,
  summary: "Read the content of a handle, verbatim",
  ...may("read"),
  request: { params: idParam, ...jsonBody(RecallBody) },
  responses: answers(RecalledSchema, "The messages."),
});

const observe = createRoute({
  method: "post",
  path: "/sessions/{id}/observe",
  operationId: "observeUsage",
  tags,
  summary: "Report the provider's token count, to calibrate later counts",
  ...may("write"),
  request: { params: idParam, ...jsonBody(ObserveBody) },
  responses: done("The count was recorded."),
});

const CompactionsSchema = z.object({ items: z.array(CompactionSchema) }).openapi("Compactions");

const compactions = createRoute({
  method: "get",
  path: "/sessions/{id}/compactions",
  operationId: "listCompactions",
  tags,
  summary: "List all compactions, including undone ones",
  ...may("read"),
  request: { params: idParam },
  responses: answers(CompactionsSchema, "All compactions, in order."),
});

const ReceiptsSchema = z.object({ items: z.array(ReceiptSchema) }).openapi("Receipts");

const receipts = createRoute({
  method: "get",
  path: "/sessions/{id}/receipts",
  operationId: "listReceipts",
  tags,
  summary: "List the latest receipts: why each token was in the window",
  ...may("read"),
  request: { params: idParam, query: z.object({ limit: pageQuery.limit }) },
  responses: answers(ReceiptsSchema, "The newest receipts, oldest first."),
});

export function windowRoutes(services: Services): Router {
  const app = createRouter();
  addPrepare(app, services);
  addCompaction(app, services);
  addLooks(app, services);
  return app;
}

const TurnWithoutMessages = TurnSchema.omit({ messages: true, receipt: true });

/** A receipt without its lists. */
function totalsOf({ id, sessionId, createdAt, modelId, budget, tokens, counted }: Receipt) {
  return { id, sessionId, createdAt, modelId, budget, tokens, counted };
}

function addPrepare(app: Router, services: Services): void {
  app.openapi(prepare, async (c) => {
    const { id } = c.req.valid("param");
    const { session } = await findSession(sessionDeps(c, services), id);
    const turn = await session.prepare({ ...fromWire(c.req.valid("json")), signal: c.req.raw.signal });
    if (turn.wasCompacted || turn.wasPruned) {
      const data = { ...toWire(TurnSchema.shape.tokens, turn.tokens), receipt_id: turn.receipt.id };
      const type = turn.wasCompacted ? "session:compacted" : "session:pruned";
      await services.events.publish(c.var.caller, { type, sessionId: id, data });
    }
    const { system, tokens, wasPruned, wasCompacted, receipt } = turn;
    const isFull = c.req.valid("query").receipt === "full";
    const shown = isFull ? toWire(ReceiptSchema, receipt) : toWire(ReceiptTotals, totalsOf(receipt));
    const answer = { ...toWire(TurnWithoutMessages, { system, tokens, wasPruned, wasCompacted }), receipt: shown };
    // The messages are written once and joined: most of them were in the last window too.
    const messages = windowJson(turnWindows.get(turn) ?? []);
    const body = `{"messages":${messages},${JSON.stringify(answer).slice(1)}`;
    return c.body(body, 200, { "content-type": "application/json" }) as never;
  });
  app.openapi(observe, async (c) => {
    const { id } = c.req.valid("param");
    const { session } = await findSession(sessionDeps(c, services), id);
    await once("observe", () => session.reportUsage(fromWire(c.req.valid("json"))).then(isDone), ofSession);
    // The turn is over: clean up after it in a background job.
    const { userId, projectId } = c.var.caller;
    await services.jobs.add(pruneSoon(userId, projectId, session.id, services.clock.now()));
    return c.body(null, 204);
  });
}

function addCompaction(app: Router, services: Services): void {
  app.openapi(compact, async (c) => {
    const { id } = c.req.valid("param");
    const { session } = await findSession(sessionDeps(c, services), id);
    const event = await once(
      "compact",
      () => session.compact({ ...fromWire(c.req.valid("json")), signal: c.req.raw.signal }),
      (write) => (write.op === "session" ? compactionOf(write.commit, session.id) : undefined),
    );
    const compaction = describeCompaction(event);
    if (compaction !== null) {
      const { summary: _, ...data } = compaction;
      await services.events.publish(c.var.caller, { type: "session:compacted", sessionId: id, data });
    }
    return c.json({ compaction }, 200);
  });
  app.openapi(preview, async (c) => {
    const { session } = await findSession(sessionDeps(c, services), c.req.valid("param").id);
    const found = await session.preview({ ...fromWire(c.req.valid("json")), signal: c.req.raw.signal });
    return c.json(toWire(PreviewSchema, { preview: found ?? null }), 200);
  });
  app.openapi(restore, async (c) => {
    const { id } = c.req.valid("param");
    const { compaction_id } = c.req.valid("json");
    const { session } = await findSession(sessionDeps(c, services), id);
    const isChanged = await once("restore", () => session.restore(compaction_id), ofSession);
    const data = { compaction_id };
    if (isChanged) await services.events.publish(c.var.caller, { type: "session:restored", sessionId: id, data });
    return c.body(null, 204);
  });
}

const isDone = () => true;

function ofSession({ op }: StoreWrite): true | undefined {
  return op === "session" || undefined;
}

function compactionOf({ compactions = [] }: Commit, sessionId: string): CompactionEvent | undefined {
  const [compaction] = compactions;
  return compaction && fromStored(compaction, sessionId);
}

function describeCompaction(event: CompactionEvent | undefined) {
  return event === undefined ? null : toWire(CompactionSchema, event);
}

function addLooks(app: Router, services: Services): void {
  app.openapi(recall, async (c) => {
    const { session } = await findSession(sessionDeps(c, services), c.req.valid("param").id);
    const { handle, messages } = await session.recall(c.req.valid("json").handle);
    return c.json({ handle, messages: toBodies(messages) }, 200);
  });
  app.openapi(compactions, async (c) => {
    const { session } = await findSession(sessionDeps(c, services), c.req.valid("param").id);
    return c.json(toWire(CompactionsSchema, { items: await session.compactions() }), 200);
  });
  app.openapi(receipts, async (c) => {
    const { session } = await findSession(sessionDeps(c, services), c.req.valid("param").id);
    const items = await session.receipts(c.req.valid("query").limit);
    return c.json(toWire(ReceiptsSchema, { items }), 200);
  });
}

/**
 * Cache: the JSON of a message in the form of the AI SDK. Messages are immutable and stay in the window for many turns.
 */
const written = new WeakMap<Message, string>();

/** JSON of the messages of a window, in the form of the AI SDK. */
function windowJson(window: readonly Message[]): string {
  return `[${window
    .map(messageJson)
    .filter((text) => text !== "")
    .join(",")}]`;
}

/** A message may become several ones, or none. */
function messageJson(message: Message): string {
  let text = written.get(message);
  if (text === undefined) {
    text = JSON.stringify(convertRichToModel([message])).slice(1, -1);
    written.set(message, text);
  }
  return text;
}
