import { createRoute, z } from "@hono/zod-openapi";
import type { Contradiction, MemoryService } from "throughline";
import { resumeUndo } from "throughline/internal/engine";
import { mapYielding, omitUndefined } from "throughline/internal/util";
import type { PlannedChange, Undone } from "throughline/memory";
import { notesOf, once, type StoreWrite, stepwise } from "../middleware/idempotent-steps.ts";
import type { Services } from "../server-env.ts";
import { answers, createRouter, jsonBody, may, type Router } from "./define-route.ts";
import { cutPage, pageOf, pageQuery, readCursor } from "./pagination.ts";
import { idParam } from "./schemas/common.ts";
import {
  ConsolidateBody,
  ConsolidatedSchema,
  ContradictionSchema,
  JournalEntrySchema,
  MemorySchema,
  ResolveBody,
} from "./schemas/memory.ts";
import { fromWire, toWire } from "./wire-json.ts";

const consolidate = createRoute({
  method: "post",
  path: "/consolidate",
  operationId: "consolidate",
  tags: ["upkeep"],
  summary: "Consolidate memories: merge, shorten, archive, find contradictions and links",
  ...may("write"),
  request: jsonBody(ConsolidateBody),
  responses: answers(ConsolidatedSchema, "The changes, or those that a real run would make."),
});

const ContradictionPage = pageOf(ContradictionSchema).openapi("ContradictionPage");

const list = createRoute({
  method: "get",
  path: "/contradictions",
  operationId: "listContradictions",
  tags: ["upkeep"],
  summary: "List contradictions between memories",
  ...may("read"),
  request: { query: z.object({ ...pageQuery, status: z.enum(["open", "resolved"]).optional() }) },
  responses: answers(ContradictionPage, "A page of contradictions, ordered by id."),
});

const resolve = createRoute({
  method: "post",
  path: "/contradictions/{id}/resolve",
  operationId: "resolveContradiction",
  tags: ["upkeep"],
  summary: "Resolve a contradiction",
  ...may("write"),
  request: { params: idParam, ...jsonBody(ResolveBody) },
  responses: answers(ContradictionSchema, "The resolved contradiction."),
});

const JournalSchema = z.object({ items: z.array(JournalEntrySchema) }).openapi("Journal");

const journal = createRoute({
  method: "get",
  path: "/journal",
  operationId: "readJournal",
  tags: ["upkeep"],
  summary: "List changes to memories, newest first",
  ...may("read"),
  request: { query: z.object({ limit: pageQuery.limit }) },
  responses: answers(JournalSchema, "The newest journal entries."),
});

const UndoneSchema = z.object({ memories: z.array(MemorySchema), journal_id: z.string().optional() }).openapi("Undone");

const undo = createRoute({
  method: "post",
  path: "/journal/{id}/undo",
  operationId: "undo",
  tags: ["upkeep"],
  summary: "Undo a journal entry; undoing the undo applies it again",
  ...may("write"),
  request: { params: idParam },
  responses: answers(UndoneSchema, "The restored memories."),
});

export function contradictionRoutes({ events }: Services): Router {
  const app = createRouter();
  app.openapi(consolidate, async (c) => {
    const { dry_run: dryRun } = c.req.valid("json");
    const { signal } = c.req.raw;
    const { memory } = c.var.throughline;
    const { changes, ...counts } = await memory.consolidate({ dryRun, signal });
    const shown = changes && { changes: await withTexts(memory, changes) };
    const done = toWire(ConsolidatedSchema, { ...counts, ...shown });
    if (!dryRun) await events.publish(c.var.caller, { type: "memory:consolidated", data: done });
    return c.json(done, 200);
  });
  app.openapi(list, async (c) => {
    const { status, cursor, limit } = c.req.valid("query");
    const after = readCursor(cursor) ?? "";
    const all = await c.var.throughline.memory.contradictions(status && { status });
    const behind = all.filter(({ id }) => id > after).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const { items, next_cursor } = cutPage(behind, limit, ({ id }) => id);
    return c.json({ items: items.map((one) => toWire(ContradictionSchema, one)), next_cursor }, 200);
  });
  app.openapi(resolve, async (c) => {
    const { id } = c.req.valid("param");
    const resolved = await once(
      "resolve",
      () => c.var.throughline.memory.resolve(id, fromWire(c.req.valid("json"))),
      (write) => (write.op === "memories" ? (write.commit.result as Contradiction) : undefined),
    );
    await events.publish(c.var.caller, { type: "contradiction:resolved", data: { id } });
    return c.json(toWire(ContradictionSchema, resolved), 200);
  });
  app.openapi(journal, async (c) => {
    const items = await c.var.throughline.memory.journal(c.req.valid("query"));
    return c.json(toWire(JournalSchema, { items }), 200);
  });
  app.openapi(undo, async (c) => {
    const { id } = c.req.valid("param");
    const undone = await undoOnce(c.var.throughline.memory, id);
    await events.publish(c.var.caller, { type: "memory:undone", data: { id } });
    const { memories, ...about } = undone;
    const restored = await mapYielding(memories, (memory) => toWire(MemorySchema, memory));
    return c.json({ ...toWire(UndoneSchema.omit({ memories: true }), about), memories: restored }, 200);
  });
  return app;
}

/** Planned changes with the texts of their memories, for people who decide on them. */
async function withTexts(memory: MemoryService, changes: readonly PlannedChange[]) {
  const found = await memory.get(changes.flatMap(({ id, other = id }) => [id, other]));
  const texts = new Map(found.map(({ id, levels }) => [id, levels.full]));
  return changes.map((change) => {
    const otherText = change.other === undefined ? undefined : texts.get(change.other);
    return { ...change, text: texts.get(change.id) ?? "", otherText };
  });
}

/** Undoes an entry that spans several spaces, one commit per space. A retry undoes only the remaining spaces. */
async function undoOnce(memory: MemoryService, id: string): Promise<Undone> {
  const earlier = notesOf<Required<Undone> & { readonly space: string }>("undo");
  const [first] = earlier;
  const interrupted = first && { journalId: first.journalId, spaces: earlier.map(({ space }) => space) };
  const undone = await stepwise("undo", () => resumeUndo(memory, id, interrupted), undoneBy);
  const memories = [...earlier.flatMap((note) => note.memories), ...undone.memories];
  return omitUndefined({ memories, journalId: first?.journalId ?? undone.journalId });
}

function undoneBy(write: StoreWrite): unknown {
  if (write.op !== "memories") return undefined;
  const { memories = [], journal = [] } = write.commit;
  return { space: write.space, memories: memories.map(({ memory }) => memory), journalId: journal.at(-1)?.id };
}
