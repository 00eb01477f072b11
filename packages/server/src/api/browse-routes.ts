import { createRoute, z } from "@hono/zod-openapi";
import type { Memory } from "throughline";
import { omitUndefined, redactSecrets } from "throughline/internal/util";
import type { Audit, AuditFinding, AuditKind } from "throughline/memory";
import { answers, createRouter, jsonBody, may, type Router } from "./define-route.ts";
import {
  AuditBody,
  AuditQuery,
  AuditSchema,
  BrowsePageSchema,
  BrowseQuery,
  EvidenceSchema,
  FacetsSchema,
  ForeignAuditSchema,
  HistorySchema,
} from "./schemas/browse.ts";
import { idParam, TimeInput } from "./schemas/common.ts";
import { toWire } from "./wire-json.ts";

/** Memories of one finding that are returned. A group of duplicates can have thousands. */
const MAX_FOUND = 10;
const MAX_TEXT_LENGTH = 2_000;

const tags = ["memories"];

const browse = createRoute({
  method: "get",
  path: "/memories/browse",
  operationId: "browseMemories",
  tags,
  summary: "List memories that match filters, most recently mentioned first, from any offset",
  ...may("read"),
  request: { query: BrowseQuery },
  responses: answers(BrowsePageSchema, "A page of memories, and the total number of matches."),
});

const facets = createRoute({
  method: "get",
  path: "/memories/facets",
  operationId: "countMemories",
  tags,
  summary: "Count memories by kind, category, status, project and person",
  ...may("read"),
  responses: answers(FacetsSchema, "The counts, and the length of the review queue."),
});

const audit = createRoute({
  method: "get",
  path: "/memories/audit",
  operationId: "auditMemories",
  tags,
  summary: "Find secrets, contradictions, duplicates, recalled text and unused memories",
  ...may("read"),
  request: { query: AuditQuery },
  responses: answers(AuditSchema, "A page of findings. Secrets are masked."),
});

const auditStore = createRoute({
  method: "post",
  path: "/memories/audit",
  operationId: "auditStore",
  tags,
  summary: "Audit memories of another program (mem0, MCP memory server, Markdown) without importing them",
  ...may("read"),
  request: jsonBody(AuditBody),
  responses: answers(ForeignAuditSchema, "The detected format and a page of findings. Secrets are masked."),
});

const history = createRoute({
  method: "get",
  path: "/memories/{id}/history",
  operationId: "memoryHistory",
  tags,
  summary: "List the versions of a memory, with the memories that it replaced",
  ...may("read"),
  request: { params: idParam, query: z.object({ as_of: TimeInput.optional() }) },
  responses: answers(HistorySchema, "Versions and journalled changes, latest first."),
});

const evidence = createRoute({
  method: "get",
  path: "/memories/{id}/evidence",
  operationId: "memoryEvidence",
  tags,
  summary: "Get the source messages of a memory, with the range of each quote",
  ...may("read"),
  request: { params: idParam },
  responses: answers(EvidenceSchema, "The sources, latest first."),
});

export function browseRoutes(): Router {
  const app = createRouter();
  addLists(app);
  addAudits(app);
  app.openapi(history, async (c) => {
    const { as_of: asOf } = c.req.valid("query");
    const browser = await c.var.throughline.memory.browser();
    const { versions, changes } = await browser.history(c.req.valid("param").id, omitUndefined({ asOf }));
    const timed = versions.map(({ from, until, ...version }) => ({ ...version, fromAt: from, untilAt: until }));
    return c.json(toWire(HistorySchema, { versions: timed, changes }), 200);
  });
  app.openapi(evidence, async (c) => {
    const browser = await c.var.throughline.memory.browser();
    return c.json(toWire(EvidenceSchema, { items: await browser.evidence(c.req.valid("param").id) }), 200);
  });
  return app;
}

function addLists(app: Router): void {
  app.openapi(browse, async (c) => {
    const { kind, project_id: project, review, ...rest } = c.req.valid("query");
    const browser = await c.var.throughline.memory.browser();
    const conditions = {
      ...rest,
      kinds: kind && [kind],
      projectId: project === "" ? null : project,
      isNew: review && review === "new",
    };
    return c.json(toWire(BrowsePageSchema, await browser.page(omitUndefined(conditions))), 200);
  });
  app.openapi(facets, async (c) => {
    const browser = await c.var.throughline.memory.browser();
    return c.json(toWire(FacetsSchema, await browser.facets()), 200);
  });
}

function addAudits(app: Router): void {
  app.openapi(audit, async (c) => {
    const { wait, ...page } = c.req.valid("query");
    const { memory } = c.var.throughline;
    const browser = await memory.browser();
    const state = wait === "false" ? await browser.auditState() : { ...(await browser.audit()), progress: 1 };
    const found = findingsOf(state.findings, page);
    const memories = await memory.get(found.flatMap(namedIds));
    const body = {
      ...pageOfAudit(state, page, new Map(memories.map((one) => [one.id, one]))),
      progress: state.progress,
    };
    return c.json(toWire(AuditSchema, body), 200);
  });
  app.openapi(auditStore, async (c) => {
    const { data, ...page } = c.req.valid("json");
    const browser = await c.var.throughline.memory.browser();
    const { memories, format, hasUsage, ...report } = await browser.auditForeign(data);
    return c.json(toWire(ForeignAuditSchema, { ...pageOfAudit(report, page, memories), format, hasUsage }), 200);
  });
}

interface AuditPage {
  readonly kind?: AuditKind | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** The findings of a page. */
function findingsOf(findings: readonly AuditFinding[], { kind, offset, limit }: AuditPage): readonly AuditFinding[] {
  const wanted = kind === undefined ? findings : findings.filter((finding) => finding.kind === kind);
  return wanted.slice(offset, offset + limit);
}

function namedIds({ ids }: AuditFinding): readonly string[] {
  return ids.slice(0, MAX_FOUND);
}

/** A page of findings with the texts of their memories, without secrets. */
function pageOfAudit({ checked, findings }: Audit, page: AuditPage, memories: ReadonlyMap<string, Memory>) {
  const items = findingsOf(findings, page).map((finding) => ({
    kind: finding.kind,
    reason: finding.reason,
    count: finding.ids.length,
    memories: namedIds(finding).flatMap((id) => {
      const memory = memories.get(id);
      if (memory === undefined) return [];
      const text = redactSecrets(memory.levels.full).slice(0, MAX_TEXT_LENGTH);
      return [{ id, text, createdAt: memory.createdAt }];
    }),
  }));
  const counts = { secret: 0, contradiction: 0, duplicate: 0, recalled: 0, unused: 0 } satisfies Record<
    AuditKind,
    number
  >;
  for (const { kind } of findings) counts[kind] += 1;
  return { checked, counts, total: page.kind === undefined ? findings.length : counts[page.kind], items };
}
