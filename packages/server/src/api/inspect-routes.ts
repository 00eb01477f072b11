import { readFile } from "node:fs/promises";
import { createRoute, z } from "@hono/zod-openapi";
import { reportHtml, type SessionReport } from "throughline/internal/inspect";
import { findUnit, findUnits } from "../inspect/find-units.ts";
import { type CatalogEntry, worstEntry } from "../inspect/session-catalog.ts";
import { problem } from "../problem.ts";
import type { Services } from "../services.ts";
import { answers, may } from "./define-route.ts";
import { cutPage, pageQuery, readCursor } from "./pagination.ts";
import { createRouter, type Router } from "./router.ts";
import { idParam } from "./schemas/common.ts";
import { InspectedSessionsSchema, ReportSchema, WorstSessionSchema } from "./schemas/inspect.ts";
import { readPosition } from "./sessions/session-routes.ts";
import { streamJson } from "./stream-json.ts";
import { toWire } from "./wire-json.ts";

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
      query: z.string().max(500).optional().openapi({ description: "Words of the title, project or id." }),
      agent: z.string().max(100).optional(),
      project_path: z.string().max(2_000).optional().openapi({ description: "Folder of the sessions." }),
      sort: z.enum(["recent", "loss"]).default("recent"),
    }),
  },
  responses: answers(InspectedSessionsSchema, "A page of sessions that have been read so far."),
});

const worst = createRoute({
  method: "get",
  path: "/inspect/worst",
  operationId: "findWorstCompaction",
  tags,
  summary: "Find the session with the worst compaction among those that have been read so far",
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
    const from = readPosition(readCursor(cursor));
    const { items, next_cursor } = cutPage(found.slice(from, from + limit + 1), limit, () => String(from + limit));
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
    if (services.reportPage === undefined) return problem(404, "not-found", "This server has no report page.") as never;
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
