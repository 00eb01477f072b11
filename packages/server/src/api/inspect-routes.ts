import { readFile } from "node:fs/promises";
import { createRoute, z } from "@hono/zod-openapi";
import type { Message } from "throughline";
import { convertRichToGemini } from "throughline/internal/engine";
import { reportHtml, type SentWindow, type SessionReport, type SizedMessage } from "throughline/internal/inspect";
import { messageText } from "throughline/internal/util";
import { convertRichToAnthropic, convertRichToChat } from "throughline/messages";
import { type CatalogEntry, worstEntry } from "../inspect/session-catalog.ts";
import { findUnit, findUnits } from "../inspect/session-units.ts";
import { problem } from "../problem.ts";
import type { Services } from "../server-env.ts";
import { answers, createRouter, may, type Router } from "./define-route.ts";
import { cutAt, pageQuery } from "./pagination.ts";
import { idParam } from "./schemas/common.ts";
import {
  InspectedSessionsSchema,
  NoteSchema,
  PayloadSchema,
  ReportSchema,
  SentWindowSchema,
  WindowDiffSchema,
  WorstSessionSchema,
} from "./schemas/inspect.ts";
import { streamJson, toWire } from "./wire-json.ts";

const tags = ["inspector"];

const list = createRoute({
  method: "get",
  path: "/inspect/sessions",
  operationId: "inspectSessions",
  tags,
  summary: "List sessions of the store and recorded histories of agents on this machine",
  ...may("read"),
  request: {
    query: z.object({
      ...pageQuery,
      query: z.string().max(500).optional().openapi({ description: "Text to search for in title, project and id." }),
      agent: z.string().max(100).optional(),
      project_path: z.string().max(2_000).optional().openapi({ description: "Only sessions of this folder." }),
      sort: z.enum(["recent", "loss"]).default("recent"),
    }),
  },
  responses: answers(InspectedSessionsSchema, "A page of the sessions read so far."),
});

const worst = createRoute({
  method: "get",
  path: "/inspect/worst",
  operationId: "findWorstCompaction",
  tags,
  summary: "Find the session with the worst compaction among the sessions read so far",
  ...may("read"),
  responses: answers(WorstSessionSchema, "The session; missing if none has a compaction."),
});

const report = createRoute({
  method: "get",
  path: "/inspect/sessions/{id}",
  operationId: "reportSession",
  tags,
  summary: "Report the windows of a session, and what each compaction kept and lost",
  ...may("read"),
  request: { params: idParam },
  responses: answers(ReportSchema, "The report. Secrets are masked."),
});

const page = createRoute({
  method: "get",
  path: "/inspect/sessions/{id}/html",
  operationId: "exportReport",
  tags,
  summary: "Export the report of a session as one HTML file without requests, secrets masked",
  ...may("read"),
  request: { params: idParam },
  responses: {
    ...answers(ReportSchema, ""),
    200: { description: "The page.", content: { "text/html": { schema: z.string() } } },
  },
});

export function inspectRoutes(services: Services): Router {
  const app = createRouter();
  addLists(app, services);
  addReports(app, services);
  return app;
}

function addLists(app: Router, services: Services): void {
  const { catalog } = services;
  app.openapi(list, async (c) => {
    const { cursor, limit, sort, ...filter } = c.req.valid("query");
    const { entries, ...progress } = catalog.list(await findUnits(c, services));
    const found = sorted(entries.filter(matches(filter)), sort);
    const { items, next_cursor } = cutAt(found, { cursor, limit });
    const agents = [...new Set(entries.map(({ agent }) => agent))].toSorted();
    const projects = [...new Set(entries.flatMap(({ project }) => project ?? []))].toSorted();
    return c.json({ ...toWire(InspectedSessionsSchema, { items, next_cursor, ...progress, agents, projects }) }, 200);
  });
  app.openapi(worst, async (c) => {
    const { entries, ...progress } = catalog.list(await findUnits(c, services));
    return c.json(toWire(WorstSessionSchema, { session: worstEntry(entries), ...progress }), 200);
  });
}

interface Filter {
  readonly query?: string | undefined;
  readonly agent?: string | undefined;
  readonly project_path?: string | undefined;
}

function matches({ query = "", agent, project_path }: Filter): (entry: CatalogEntry) => boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return (entry) => {
    const text = `${entry.title} ${entry.project ?? ""} ${entry.sessionId}`.toLowerCase();
    const isWanted = (agent ?? entry.agent) === entry.agent && (project_path ?? entry.project) === entry.project;
    return isWanted && words.every((word) => text.includes(word));
  };
}

function sorted(entries: readonly CatalogEntry[], sort: "recent" | "loss"): readonly CatalogEntry[] {
  if (sort === "recent") return entries;
  const lossOf = ({ worst: found }: CatalogEntry) =>
    found === undefined ? -1 : found.gone * 1_000_000 + found.lookupTokens;
  return entries.toSorted((a, b) => lossOf(b) - lossOf(a));
}

function addReports(app: Router, services: Services): void {
  const { reports } = services;
  app.openapi(report, async (c) => {
    const { id } = c.req.valid("param");
    return streamJson(writeReport(await reports.report(await findUnit(c, services, id), id))) as never;
  });
  app.openapi(page, async (c) => {
    const { id } = c.req.valid("param");
    if (services.reportPage === undefined)
      return problem(404, "not-found", "This server has no report page. Set `reportPage` in its options.") as never;
    const found = await reports.report(await findUnit(c, services, id), id);
    const html = reportHtml(await readFile(services.reportPage, "utf8"), found);
    // Scripts of the page run only after it was saved: the policy of this server does not allow them.
    return c.body(html, 200, {
      "content-type": "text/html; charset=utf-8",
      "content-disposition": 'attachment; filename="session-report.html"',
    }) as never;
  });
}

/** Fields whose names would be read as times get others. */
function writeReport({ rules, compactions, ...rest }: SessionReport) {
  return toWire(ReportSchema, {
    ...rest,
    rules: rules.map(({ repeatedAt, ...rule }) => ({ ...rule, repeatedIn: repeatedAt })),
    compactions: compactions.map(({ at, ...compaction }) => ({ ...compaction, firstMessage: at })),
  });
}

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
    const page = cutAt(messages, query);
    const reported = calls[call]?.reported;
    const about = { tokens, bands, unrecorded, reported, total: messages.length };
    return c.json(toWire(SentWindowSchema, { ...page, items: page.items.map(describeItem), ...about }), 200);
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
    const { items, next_cursor } = cutAt(changes, page);
    const shown = items.map(({ change, ...one }) => ({ ...describeItem(one), change }));
    return c.json(toWire(WindowDiffSchema, { items: shown, next_cursor, ...sums }), 200);
  });
  app.openapi(note, async (c) => {
    const { id } = c.req.valid("param");
    const { messages = Number.POSITIVE_INFINITY } = c.req.valid("query");
    return c.json(await reports.note(await findUnit(c, services, id), id, messages), 200);
  });
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
