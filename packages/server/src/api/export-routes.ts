import { createRoute, z } from "@hono/zod-openapi";
import { recordImport } from "throughline/internal/engine";
import type { Caller } from "../server-env.ts";
import type { Services } from "../services.ts";
import type { UserScope } from "../throughline-pool.ts";
import { requireAllProjects } from "./admin/project-routes.ts";
import { answers, jsonBody, may } from "./define-route.ts";
import { createRouter, type Router } from "./router.ts";
import { ImportedSchema } from "./schemas/memory.ts";
import { streamJson } from "./stream-json.ts";
import { toWire } from "./wire-json.ts";

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

function scopeOf(caller: Caller): UserScope {
  return { ...caller, isAdmin: caller.scopes.has("admin") };
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
