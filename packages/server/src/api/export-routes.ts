import { createRoute, z } from "@hono/zod-openapi";
import type { Services } from "../services.ts";
import { type ApiApp, createApi } from "./api-app.ts";
import { answers, jsonBody, may } from "./define-route.ts";
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
  summary: "Export all memories",
  ...may("read"),
  responses: answers(ExportSchema, "The export."),
});

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

export function exportRoutes({ events }: Services): ApiApp {
  const app = createApi();
  app.openapi(exportAll, async (c) => streamJson(await c.var.throughline.memory.export()) as never);
  app.openapi(importAll, async (c) => {
    const { data, dry_run: dryRun } = c.req.valid("json");
    const imported = await c.var.throughline.memory.import(data, { dryRun });
    const { added, updated } = imported;
    if (!dryRun) await events.publish(c.var.caller, { type: "memory:imported", data: { added, updated } });
    return c.json(toWire(ImportedSchema, imported), 200);
  });
  return app;
}
