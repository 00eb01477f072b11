import { createRoute, z } from "@hono/zod-openapi";
import type { MemoryService } from "throughline";
import type { ContextItem, ContextReceipt } from "throughline/context";
import { memoryText } from "throughline/internal/engine";
import { once } from "../middleware/idempotent-steps.ts";
import { answers, createRouter, done, jsonBody, may, type Router } from "./define-route.ts";
import {
  AssembleBody,
  AssembledSchema,
  ExpandBody,
  ExpandedSchema,
  PredictBody,
  PredictionSchema,
  SignalBody,
} from "./schemas/context.ts";
import { fromWire, toWire } from "./wire-json.ts";

/** Characters of a stored message in a preview. */
const MAX_MESSAGE_LENGTH = 1_000;

const assemble = createRoute({
  method: "post",
  path: "/context/assemble",
  operationId: "assembleContext",
  tags: ["context"],
  summary: "Assemble the context for a model, in four tiers within a budget",
  ...may("read"),
  request: {
    query: z.object({
      preview: z
        .enum(["true", "false"])
        .optional()
        .openapi({ description: "For people: adds texts to the receipt, and memories do not count as used." }),
    }),
    ...jsonBody(AssembleBody),
  },
  responses: answers(AssembledSchema, "The context, the tokens of each tier, and why each memory is included."),
});

const predict = createRoute({
  method: "post",
  path: "/context/predict",
  operationId: "predictContext",
  tags: ["context"],
  summary: "Predict the memories and files that are needed next",
  ...may("read"),
  request: jsonBody(PredictBody),
  responses: answers(PredictionSchema, "Memories and files with probabilities."),
});

const signal = createRoute({
  method: "post",
  path: "/context/signals",
  operationId: "tellSignal",
  tags: ["context"],
  summary: "Record a signal and prefetch the memories it predicts",
  ...may("write"),
  request: jsonBody(SignalBody),
  responses: done("The signal was recorded."),
});

const expand = createRoute({
  method: "post",
  path: "/context/expand",
  operationId: "expandContext",
  tags: ["context"],
  summary: "Expand a pointer of the index",
  ...may("read"),
  request: jsonBody(ExpandBody),
  responses: answers(ExpandedSchema, "The full content."),
});

export function contextRoutes(): Router {
  const app = createRouter();
  app.openapi(assemble, async (c) => {
    const { memory, context } = c.var.throughline;
    const isPreview = c.req.valid("query").preview === "true";
    const assembled = await context.assemble({ ...fromWire(c.req.valid("json")), countUse: !isPreview });
    const shown = isPreview ? { ...assembled, receipt: await withTexts(memory, assembled.receipt) } : assembled;
    return c.json(toWire(AssembledSchema, shown), 200);
  });
  app.openapi(predict, async (c) => {
    const { memories, files, confidence } = await c.var.throughline.context.predict(fromWire(c.req.valid("json")));
    const prediction = { predictedMemories: memories, predictedFiles: files, confidence };
    return c.json(toWire(PredictionSchema, prediction), 200);
  });
  app.openapi(signal, async (c) => {
    await once(
      "signal",
      () => c.var.throughline.context.observe(fromWire(c.req.valid("json")), { prefetch: true }).then(() => true),
      ({ op }) => op === "document" || undefined,
    );
    return c.body(null, 204);
  });
  app.openapi(expand, async (c) => {
    const items = await c.var.throughline.context.expand(c.req.valid("json").pointer);
    return c.json(toWire(ExpandedSchema, { items }), 200);
  });
  return app;
}

/** A receipt with the texts of its memories and messages. */
async function withTexts(memory: MemoryService, receipt: ContextReceipt) {
  const browser = await memory.browser();
  const found = await browser.items([...receipt.items, ...receipt.nearMisses].map(({ id }) => id));
  const withText = <T extends ContextItem>(item: T) => {
    const known = found.get(item.id);
    if (known === undefined) return item;
    if ("levels" in known) return { ...item, text: memoryText(known, item.level) };
    return { ...item, text: known.text.slice(0, MAX_MESSAGE_LENGTH), isMessage: true };
  };
  return { ...receipt, items: receipt.items.map(withText), nearMisses: receipt.nearMisses.map(withText) };
}
