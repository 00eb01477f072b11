import { createRoute, z } from "@hono/zod-openapi";
import type { Message } from "throughline";
import { convertRichToGemini } from "throughline/internal/engine";
import type { SentWindow, SizedMessage } from "throughline/internal/inspect";
import { messageText } from "throughline/internal/util";
import { convertRichToAnthropic, convertRichToChat } from "throughline/messages";
import { findUnit } from "../inspect/find-units.ts";
import type { Services } from "../services.ts";
import { answers, may } from "./define-route.ts";
import { cutPage, pageQuery, readCursor } from "./pagination.ts";
import { createRouter, type Router } from "./router.ts";
import { idParam } from "./schemas/common.ts";
import { NoteSchema, PayloadSchema, SentWindowSchema, WindowDiffSchema } from "./schemas/inspect.ts";
import { readPosition } from "./sessions/session-routes.ts";
import { toWire } from "./wire-json.ts";

const tags = ["inspector"];
const Position = z.coerce.number().int().min(0);
const Call = Position.default(0).openapi({ description: "Zero-based number of the call." });

const window = createRoute({
  method: "get",
  path: "/inspect/sessions/{id}/window",
  operationId: "readWindow",
  tags,
  summary: "Read the window of a call as it was sent, message by message",
  ...may("read"),
  request: { params: idParam, query: z.object({ ...pageQuery, call: Call }) },
  responses: answers(SentWindowSchema, "A page of the window. Secrets are masked."),
});

const payload = createRoute({
  method: "get",
  path: "/inspect/sessions/{id}/payload",
  operationId: "readPayload",
  tags,
  summary: "Read the window of a call in the form of a provider",
  ...may("read"),
  request: {
    params: idParam,
    query: z.object({ call: Call, provider: z.enum(["openai", "anthropic", "gemini"]).default("openai") }),
  },
  responses: answers(PayloadSchema, "The messages. Secrets are masked."),
});

const diff = createRoute({
  method: "get",
  path: "/inspect/sessions/{id}/diff",
  operationId: "compareWindows",
  tags,
  summary: "Compare the windows of two calls",
  ...may("read"),
  request: { params: idParam, query: z.object({ ...pageQuery, from: Call, to: Call }) },
  responses: answers(WindowDiffSchema, "A page of the messages of both windows, in order."),
});

const note = createRoute({
  method: "get",
  path: "/inspect/sessions/{id}/note",
  operationId: "writeNote",
  tags,
  summary: "Write the handover note for the messages up to a point, without a model",
  ...may("read"),
  request: {
    params: idParam,
    query: z.object({
      messages: Position.optional().openapi({ description: "Number of messages that it covers (default: all)." }),
    }),
  },
  responses: answers(NoteSchema, "The note."),
});

export function inspectWindowRoutes(services: Services): Router {
  const app = createRouter();
  addWindows(app, services);
  addComparisons(app, services);
  return app;
}

const PAYLOADS = {
  openai: (messages: readonly Message[]) => convertRichToChat(messages),
  anthropic: (messages: readonly Message[]) => convertRichToAnthropic(messages).messages,
  gemini: (messages: readonly Message[]) => convertRichToGemini(messages),
} as const;

function addWindows(app: Router, services: Services): void {
  app.openapi(window, async (c) => {
    const { id } = c.req.valid("param");
    const { call, ...query } = c.req.valid("query");
    const unit = await findUnit(c, services, id);
    const found = await services.reports.window(unit, id, call);
    const { calls } = await services.reports.report(unit, id);
    const { tokens, bands, unrecorded, messages } = found;
    const page = cutItems(messages, query, describeItem);
    const reported = calls[call]?.reported;
    const about = { tokens, bands, unrecorded, reported, total: messages.length };
    return c.json(toWire(SentWindowSchema, { ...page, ...about }), 200);
  });
  app.openapi(payload, async (c) => {
    const { id } = c.req.valid("param");
    const { call, provider } = c.req.valid("query");
    const { messages } = await services.reports.window(await findUnit(c, services, id), id, call);
    const written = PAYLOADS[provider](messages.map(({ message }) => message));
    return c.json({ provider, messages: JSON.parse(JSON.stringify(written)) }, 200);
  });
}

function addComparisons(app: Router, services: Services): void {
  const { reports } = services;
  app.openapi(diff, async (c) => {
    const { id } = c.req.valid("param");
    const { from, to, ...page } = c.req.valid("query");
    const unit = await findUnit(c, services, id);
    const compared = compareWindows(await reports.window(unit, id, from), await reports.window(unit, id, to));
    const { changes, ...sums } = compared;
    const items = cutItems(changes, page, ({ change, ...one }) => ({ ...describeItem(one), change }));
    return c.json(toWire(WindowDiffSchema, { ...items, ...sums }), 200);
  });
  app.openapi(note, async (c) => {
    const { id } = c.req.valid("param");
    const { messages = Number.POSITIVE_INFINITY } = c.req.valid("query");
    return c.json(await reports.note(await findUnit(c, services, id), id, messages), 200);
  });
}

function cutItems<T, R>(
  items: readonly T[],
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
  describe: (item: T) => R,
) {
  const from = readPosition(readCursor(cursor));
  const cut = cutPage(items.slice(from, from + limit + 1), limit, () => String(from + limit));
  return { ...cut, items: cut.items.map(describe) };
}

function describeItem({ message, index, band, tokens }: SizedMessage) {
  return { message: index, messageId: message.id, role: message.role, band, tokens, text: messageText(message) };
}

interface Change extends SizedMessage {
  readonly change: "kept" | "removed" | "added";
}

function compareWindows(before: SentWindow, after: SentWindow) {
  const [old, next] = [indexed(before), indexed(after)];
  const changes: Change[] = [
    ...before.messages.map((one) => ({
      ...one,
      change: next.has(one.index) ? ("kept" as const) : ("removed" as const),
    })),
    ...after.messages.filter(({ index }) => !old.has(index)).map((one) => ({ ...one, change: "added" as const })),
  ];
  const sum = (change: Change["change"]) =>
    changes.reduce((total, one) => total + (one.change === change ? one.tokens : 0), 0);
  const kept = sum("kept");
  const keptAfter = after.messages.reduce((total, one) => total + (old.has(one.index) ? one.tokens : 0), 0);
  return {
    changes: changes.toSorted((a, b) => a.index - b.index),
    tokens: { from: before.tokens, to: after.tokens },
    unrecorded: { from: before.unrecorded, to: after.unrecorded },
    kept,
    removed: sum("removed"),
    added: sum("added"),
    resized: keptAfter - kept,
  };
}

function indexed({ messages }: SentWindow): ReadonlySet<number> {
  return new Set(messages.map(({ index }) => index));
}
