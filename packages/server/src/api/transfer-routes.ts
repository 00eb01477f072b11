import { createRoute, z } from "@hono/zod-openapi";
import { HTTPException } from "hono/http-exception";
import { NotFoundError } from "throughline";
import { listImportRecords, recordImport, undoImport } from "throughline/internal/engine";
import { eraseAnswers } from "../middleware/idempotency.ts";
import { problem } from "../problem.ts";
import type { Caller, Services } from "../server-env.ts";
import { scopeOf } from "../throughline-pool.ts";
import { answers, createRouter, jsonBody, may, type Router } from "./define-route.ts";
import { pageQuery } from "./pagination.ts";
import { ImportRecordSchema, ProjectsSchema, UndoneImportSchema } from "./schemas/admin.ts";
import { idParam } from "./schemas/common.ts";
import { ImportedSchema } from "./schemas/memory.ts";
import { streamJson, toWire } from "./wire-json.ts";

const ExportSchema = z
  .looseObject({ format: z.literal("throughline-memory"), version: z.literal(1) })
  .openapi("MemoryExport", { description: "A full export, accepted by `POST /memories/import`." });

const exportAll = createRoute({
  method: "get",
  path: "/memories/export",
  operationId: "exportMemories",
  tags: ["memories"],
  summary: "Export the memories of the project and personal ones, or those of all projects",
  ...may("read"),
  request: {
    query: z.object({
      all_projects: z
        .enum(["true", "false"])
        .optional()
        .openapi({ description: "Export every project. Default: the project of the request, and personal memories." }),
    }),
  },
  responses: answers(ExportSchema, "The export."),
});

/** Imports so that it can be undone as a whole. */
async function noted({ store, pool, clock }: Services, caller: Caller, data: unknown) {
  const note = recordImport(store, { userId: caller.userId, clock, sources: ["HTTP API"] });
  const { memory } = await pool.openOn(note.store, scopeOf(caller));
  const imported = await memory.import(data).catch(async (error: unknown) => {
    await note.save();
    throw error;
  });
  return (await note.save()) ? { ...imported, importId: note.id } : imported;
}

const ImportBody = z
  .strictObject({
    data: z
      .union([z.string().max(50_000_000), z.looseObject({})])
      .openapi({ description: "An export, or a pasted list of facts from ChatGPT or Claude." }),
    dry_run: z.boolean().default(false),
  })
  .openapi("Import", { example: { data: "- Prefers tabs\n- Lives in Lisbon", dry_run: true } });

const importAll = createRoute({
  method: "post",
  path: "/memories/import",
  operationId: "importMemories",
  tags: ["memories"],
  summary: "Import an export or a pasted list; repeating it changes nothing",
  ...may("write"),
  request: jsonBody(ImportBody),
  responses: answers(ImportedSchema, "The imported memories, or those that a real run would import."),
});

export function exportRoutes(services: Services): Router {
  const { events, pool } = services;
  const app = createRouter();
  app.openapi(exportAll, async (c) => {
    const { caller, throughline } = c.var;
    const isAll = c.req.valid("query").all_projects === "true";
    if (isAll) requireAllProjects(caller);
    const { memory } = isAll ? await pool.openAllProjects(scopeOf(caller)) : throughline;
    return streamJson(await memory.export()) as never;
  });
  app.openapi(importAll, async (c) => {
    const { data, dry_run: dryRun } = c.req.valid("json");
    const { memory } = c.var.throughline;
    const imported = dryRun ? await memory.import(data, { dryRun }) : await noted(services, c.var.caller, data);
    const { added, updated } = imported;
    if (!dryRun) await events.publish(c.var.caller, { type: "memory:imported", data: { added, updated } });
    return c.json(toWire(ImportedSchema, imported), 200);
  });
  return app;
}

const projects = createRoute({
  method: "get",
  path: "/projects",
  operationId: "listProjects",
  tags: ["projects"],
  summary: "List projects with their counts of memories and sessions, most recently used first",
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
  responses: answers(UndoneImportSchema, "The counts of erased items, and the items that were kept."),
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
    const open = (ids: readonly string[]) => pool.openAllProjects(scopeOf(caller), ids);
    const deps = { open, store, userId: caller.userId, clock, eraseAnswers: () => eraseAnswers(c, "everybody's") };
    const undone = await undoImport(deps, id, { dryRun });
    if (!dryRun) await events.publish(caller, { type: "memory:undone", data: { id } });
    return c.json(toWire(UndoneImportSchema, undone), 200);
  });
  return app;
}

/** An import may have written to any project. */
function requireAllProjects({ projectIds }: Caller): void {
  if (projectIds === undefined) return;
  throw new HTTPException(403, {
    res: problem(
      403,
      "forbidden",
      "This request requires access to all projects. Use a token without a project restriction.",
    ),
  });
}
