import { createRoute, z } from "@hono/zod-openapi";
import type { Services } from "../services.ts";
import { type ApiApp, createApi } from "./api-app.ts";
import { answers, jsonBody, may } from "./define-route.ts";
import { ImportedSchema } from "./schemas/memory.ts";
import { jsonInPieces } from "./stream-json.ts";
import { toWire } from "./wire-json.ts";

const ExportSchema = z
  .looseObject({ format: z.literal("throughline-memory"), version: z.literal(1) })
  .openapi("MemoryExport", { description: "Everything, as `POST /memories/import` takes it again." });

const exportAll = createRoute({
  method: "get",
  path: "/memories/export",
  operationId: "exportMemories",
  tags: ["memories"],
  summary: "Everything that is remembered, as plain data",
  ...may("read"),
  responses: answers(ExportSchema, "An export."),
});

const ImportBody = z
  .strictObject({
    data: z
      .union([z.string().max(50_000_000), z.looseObject({})])
      .openapi({ description: "An export, or a pasted list of facts as ChatGPT and Claude give them." }),
    dry_run: z.boolean().default(false),
  })
  .openapi("Import", { example: { data: "- Prefers tabs\n- Lives in Lisbon", dry_run: true } });

const importAll = createRoute({
  method: "post",
  path: "/memories/import",
  operationId: "importMemories",
  tags: ["memories"],
  summary: "Takes in an export or a pasted list; to do it twice changes nothing",
  ...may("write"),
  request: jsonBody(ImportBody),
  responses: answers(ImportedSchema, "What came of it, or would come."),
});

export function exchangeRoutes({ events }: Services): ApiApp {
  const app = createApi();
  app.openapi(exportAll, async (c) => jsonInPieces(await c.var.throughline.memory.export()) as never);
  app.openapi(importAll, async (c) => {
    const { data, dry_run: dryRun } = c.req.valid("json");
    const imported = await c.var.throughline.memory.import(data, { dryRun });
    const { added, updated } = imported;
    if (!dryRun) await events.publish(c.var.caller, { type: "memory:imported", data: { added, updated } });
    return c.json(toWire(ImportedSchema, imported), 200);
  });
  return app;
}
