import { createRoute, z } from "@hono/zod-openapi";
import { NotFoundError } from "throughline";
import { omitUndefined } from "throughline/internal/util";
import { eraseAnswers } from "../middleware/idempotency.ts";
import type { Services } from "../server-env.ts";
import { answers, created, createRouter, done, jsonBody, may, type Router } from "./define-route.ts";
import { countOnce, forgetOnce, ingestOnce, purgeOnce, rememberOnce, updateOnce } from "./idempotent-memory.ts";
import { cutPage, pageOf, pageQuery, readCursor } from "./pagination.ts";
import { Category, idParam, Kind, Scope, ShortText } from "./schemas/common.ts";
import {
  ErasedSchema,
  HitSchema,
  IngestBody,
  IngestedSchema,
  MemorySchema,
  PatchBody,
  RememberBody,
  RememberedSchema,
  SearchBody,
} from "./schemas/memory.ts";
import { fromWire, toWire } from "./wire-json.ts";

const tags = ["memories"];

const create = createRoute({
  method: "post",
  path: "/memories",
  operationId: "remember",
  tags,
  summary: "Save a memory",
  ...may("write"),
  request: jsonBody(RememberBody),
  responses: created(
    RememberedSchema,
    "The memory, whether it was added, merged or replaced another one, and related facts.",
  ),
});

const MemoryPage = pageOf(MemorySchema).openapi("MemoryPage");

const list = createRoute({
  method: "get",
  path: "/memories",
  operationId: "listMemories",
  tags,
  summary: "List memories in creation order",
  ...may("read"),
  request: {
    query: z.object({
      ...pageQuery,
      all: z
        .enum(["true", "false"])
        .optional()
        .openapi({ description: "Include memories that ended or were archived." }),
      kind: Kind.optional(),
      category: Category.optional(),
      scope: Scope.optional(),
    }),
  },
  responses: answers(MemoryPage, "A page of memories."),
});

const HitsSchema = z.object({ items: z.array(HitSchema) }).openapi("Hits");

const search = createRoute({
  method: "post",
  path: "/memories/search",
  operationId: "searchMemories",
  tags,
  summary: "Search memories and past utterances, best match first",
  ...may("read"),
  request: jsonBody(SearchBody),
  responses: answers(HitsSchema, "Memories and utterances with the reasons why they match."),
});

const ingest = createRoute({
  method: "post",
  path: "/memories/ingest",
  operationId: "ingest",
  tags,
  summary: "Store messages as evidence and extract facts from them",
  ...may("write"),
  request: jsonBody(IngestBody),
  responses: answers(IngestedSchema, "The new utterances and the extracted facts."),
});

const get = createRoute({
  method: "get",
  path: "/memories/{id}",
  operationId: "getMemory",
  tags,
  summary: "Get a memory",
  ...may("read"),
  request: { params: idParam },
  responses: answers(MemorySchema, "The memory."),
});

const update = createRoute({
  method: "patch",
  path: "/memories/{id}",
  operationId: "updateMemory",
  tags,
  summary: "Update a memory",
  ...may("write"),
  request: { params: idParam, ...jsonBody(PatchBody) },
  responses: answers(MemorySchema, "The updated memory."),
});

const pin = createRoute({
  method: "post",
  path: "/memories/{id}/pin",
  operationId: "pinMemory",
  tags,
  summary: "Pin or unpin a memory",
  ...may("write"),
  request: { params: idParam, ...jsonBody(z.strictObject({ pinned: z.boolean().default(true) }).openapi("Pin")) },
  responses: answers(MemorySchema, "The updated memory."),
});

const forget = createRoute({
  method: "post",
  path: "/memories/{id}/forget",
  operationId: "forgetMemory",
  tags,
  summary: "Archive a memory; it can be restored",
  ...may("write"),
  request: { params: idParam },
  responses: answers(MemorySchema, "The archived memory."),
});

const purge = createRoute({
  method: "delete",
  path: "/memories/{id}",
  operationId: "purgeMemory",
  tags,
  summary: "Erase a memory or an utterance everywhere, permanently",
  ...may("write"),
  request: { params: idParam },
  responses: answers(ErasedSchema, "The number of erased items."),
});

const cite = createRoute({
  method: "post",
  path: "/memories/{id}/cite",
  operationId: "citeMemory",
  tags,
  summary: "Report that a memory was useful",
  ...may("write"),
  request: { params: idParam, ...jsonBody(z.strictObject({ query: ShortText.optional() }).openapi("Cite")) },
  responses: done("The use was counted."),
});

const ignore = createRoute({
  method: "post",
  path: "/memories/{id}/ignore",
  operationId: "ignoreMemory",
  tags,
  summary: "Report that a memory was not useful",
  ...may("write"),
  request: { params: idParam },
  responses: done("The report was counted."),
});

export function memoryRoutes(services: Services): Router {
  const app = createRouter();
  addCollection(app, services);
  addOne(app, services);
  addChanges(app, services);
  return app;
}

function addCollection(app: Router, { events }: Services): void {
  app.openapi(create, async (c) => {
    const remembered = await rememberOnce(c.var.throughline.memory, fromWire(c.req.valid("json")));
    const data = { id: remembered.memory.id, outcome: remembered.outcome };
    await events.publish(c.var.caller, { type: "memory:remembered", data });
    return c.json(toWire(RememberedSchema, remembered), 201);
  });
  app.openapi(list, async (c) => {
    const { cursor, limit, all, kind, category, scope } = c.req.valid("query");
    const kinds = kind && [kind];
    const filter = omitUndefined({ kinds, category, scope, after: readCursor(cursor), limit: limit + 1 });
    const found = await c.var.throughline.memory.list({ ...filter, all: all === "true" });
    const { items, next_cursor } = cutPage(found, limit, ({ id }) => id);
    return c.json({ items: items.map((memory) => toWire(MemorySchema, memory)), next_cursor }, 200);
  });
  app.openapi(search, async (c) => {
    const { query, ...options } = fromWire(c.req.valid("json"));
    return c.json(toWire(HitsSchema, { items: await c.var.throughline.memory.recall(query, options) }), 200);
  });
  app.openapi(ingest, async (c) => {
    const ingested = await ingestOnce(c.var.throughline.memory, fromWire(c.req.valid("json")));
    const data = { turns: ingested.turns.length, memories: ingested.memories.map(({ memory }) => memory.id) };
    await events.publish(c.var.caller, { type: "memory:ingested", data });
    return c.json(toWire(IngestedSchema, ingested), 200);
  });
}

function addOne(app: Router, { events }: Services): void {
  app.openapi(get, async (c) => {
    const { id } = c.req.valid("param");
    const memory = await c.var.throughline.memory.get(id);
    if (memory === undefined) throw new NotFoundError(`Memory ${id}`, "here");
    return c.json(toWire(MemorySchema, memory), 200);
  });
  app.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const memory = await updateOnce(c.var.throughline.memory, id, fromWire(c.req.valid("json")));
    await events.publish(c.var.caller, { type: "memory:updated", data: { id } });
    return c.json(toWire(MemorySchema, memory), 200);
  });
  app.openapi(purge, async (c) => {
    const { id } = c.req.valid("param");
    const { scope, erased } = await purgeOnce(c.var.throughline.memory, id);
    if (erased.memories + erased.turns === 0) throw new NotFoundError(`Memory ${id}`, "here");
    await eraseAnswers(c, scope === "user-private" ? "own" : "everybody's");
    await events.publish(c.var.caller, { type: "memory:purged", data: { id } });
    return c.json(toWire(ErasedSchema, erased), 200);
  });
}

function addChanges(app: Router, { events }: Services): void {
  app.openapi(pin, async (c) => {
    const { id } = c.req.valid("param");
    const memory = await updateOnce(c.var.throughline.memory, id, c.req.valid("json"));
    await events.publish(c.var.caller, { type: "memory:updated", data: { id } });
    return c.json(toWire(MemorySchema, memory), 200);
  });
  app.openapi(forget, async (c) => {
    const { id } = c.req.valid("param");
    const memory = await forgetOnce(c.var.throughline.memory, id);
    await events.publish(c.var.caller, { type: "memory:forgotten", data: { id } });
    return c.json(toWire(MemorySchema, memory), 200);
  });
  app.openapi(cite, async (c) => {
    const { id } = c.req.valid("param");
    await countOnce("cite", () => c.var.throughline.memory.cite(id, fromWire(c.req.valid("json"))));
    return c.body(null, 204);
  });
  app.openapi(ignore, async (c) => {
    await countOnce("ignore", () => c.var.throughline.memory.ignore(c.req.valid("param").id));
    return c.body(null, 204);
  });
}
