import { createRoute, z } from "@hono/zod-openapi";
import { HTTPException } from "hono/http-exception";
import { NotFoundError } from "throughline";
import { listImportRecords, undoImport } from "throughline/internal/engine";
import { eraseAnswers } from "../../middleware/idempotency.ts";
import { problem } from "../../problem.ts";
import type { Caller } from "../../server-env.ts";
import type { Services } from "../../services.ts";
import { answers, jsonBody, may } from "../define-route.ts";
import { pageQuery } from "../pagination.ts";
import { createRouter, type Router } from "../router.ts";
import { idParam } from "../schemas/common.ts";
import { ImportRecordSchema, ProjectsSchema, UndoneImportSchema } from "../schemas/project.ts";
import { toWire } from "../wire-json.ts";

const projects = createRoute({
  method: "get",
  path: "/projects",
  operationId: "listProjects",
  tags: ["projects"],
  summary: "List projects with their numbers of memories and sessions, last used first",
  ...may("read"),
  responses: answers(ProjectsSchema, "The projects that the caller may access. Select one with X-Throughline-Project."),
});

const ImportsSchema = z.object({ items: z.array(ImportRecordSchema) }).openapi("Imports");

const imports = createRoute({
  method: "get",
  path: "/imports",
  operationId: "listImports",
  tags: ["projects"],
  summary: "List imports, latest first",
  ...may("read"),
  request: { query: z.object({ limit: pageQuery.limit }) },
  responses: answers(ImportsSchema, "The imports. Requires access to all projects."),
});

const undo = createRoute({
  method: "post",
  path: "/imports/{id}/undo",
  operationId: "undoImport",
  tags: ["projects"],
  summary: "Undo an import: erase its sessions and memories, and restore the memories that it changed",
  ...may("write"),
  request: {
    params: idParam,
    ...jsonBody(z.strictObject({ dry_run: z.boolean().default(false) }).openapi("UndoImport")),
  },
  responses: answers(UndoneImportSchema, "The numbers of erased items, and everything that was kept."),
});

export function projectRoutes(services: Services): Router {
  const { store, pool, events, clock } = services;
  const app = createRouter();
  app.openapi(projects, async (c) => {
    const { projectIds } = c.var.caller;
    const found = await c.var.throughline.memory.projects();
    const items = found.projects.filter(({ id }) => projectIds === undefined || projectIds.includes(id));
    return c.json(toWire(ProjectsSchema, { items, personal: found.personal }), 200);
  });
  app.openapi(imports, async (c) => {
    requireAllProjects(c.var.caller);
    const records = await listImportRecords({ documents: store.documents, userId: c.var.caller.userId });
    const items = records.slice(0, c.req.valid("query").limit).map(({ sessions, turns, ...record }) => {
      return { ...record, sessions: Object.keys(sessions).length, utterances: turns.length };
    });
    return c.json(toWire(ImportsSchema, { items }), 200);
  });
  app.openapi(undo, async (c) => {
    const { caller } = c.var;
    const { id } = c.req.valid("param");
    const known = await listImportRecords({ documents: store.documents, userId: caller.userId });
    if (!known.some((record) => record.id === id)) throw new NotFoundError(`Import ${id}`, "here");
    requireAllProjects(caller);
    const { dry_run: dryRun } = c.req.valid("json");
    const scope = { ...caller, isAdmin: caller.scopes.has("admin") };
    const open = (ids: readonly string[]) => pool.openAllProjects(scope, ids);
    const deps = { open, store, userId: caller.userId, clock, eraseAnswers: () => eraseAnswers(c, "everybody's") };
    const undone = await undoImport(deps, id, { dryRun });
    if (!dryRun) await events.publish(caller, { type: "memory:undone", data: { id } });
    return c.json(toWire(UndoneImportSchema, undone), 200);
  });
  return app;
}

/** An import may have written to any project. */
export function requireAllProjects({ projectIds }: Caller): void {
  if (projectIds === undefined) return;
  throw new HTTPException(403, {
    res: problem(403, "forbidden", "This requires a token with access to all projects."),
  });
}
