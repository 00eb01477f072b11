import { z } from "@hono/zod-openapi";
import { Id, ShortText, Text, TimeInput, Tokens } from "./common.ts";
import { MemorySchema } from "./memory.ts";

const Path = z.string().min(1).max(1_000);
const Share = z.number().min(0).max(1);
const Tier = z.enum(["critical", "relevant", "background", "index"]);
const Level = z.enum(["full", "summary", "compressed", "index"]);

export const AssembleBody = z
  .strictObject({
    budget: Tokens.max(1_000_000).optional().openapi({ description: "Maximum tokens (default 8000)." }),
    signals: z
      .strictObject({
        current_file: Path.optional(),
        recent_errors: z.array(ShortText).max(20).optional(),
        activity: z.string().max(100).optional().openapi({ description: "`default`, `new-feature` or `debugging`." }),
        branch: z.string().max(300).optional(),
        at: TimeInput.optional(),
        collaborator: z.string().max(200).optional(),
      })
      .optional(),
    message: Text.optional(),
    shares: z.strictObject({ critical: Share, relevant: Share, background: Share, index: Share }).optional(),
  })
  .openapi("Assemble", {
    example: {
      budget: 8000,
      signals: {
        current_file: "src/auth/login.ts",
        recent_errors: ["TypeError: Cannot read property..."],
        activity: "debugging",
      },
    },
  });

const Item = z.object({
  id: z.string(),
  tier: Tier,
  level: Level,
  tokens: z.int(),
  rule: z.string(),
  reasons: z.array(z.string()),
  text: z.string().optional().openapi({ description: "Text at this level, in a preview." }),
  is_message: z
    .boolean()
    .optional()
    .openapi({ description: "True for a stored message instead of a memory; in a preview." }),
});

const Miss = Item.extend({
  cause: z.enum(["no-room", "section-full", "repeated"]),
  repeats: z.string().optional().openapi({ description: "Memory in the context that has the same words." }),
});

export const AssembledSchema = z
  .object({
    context: z.string(),
    token_count: z.int(),
    tiers: z.object({ tier1: z.int(), tier2: z.int(), tier3: z.int(), tier4: z.int() }),
    receipt: z.object({
      budget: z.int(),
      tokens: z.int(),
      activity: z.string(),
      allotted: z.object({ critical: z.int(), relevant: z.int(), background: z.int(), index: z.int() }),
      items: z.array(Item),
      near_misses: z.array(Miss),
      notes: z.array(z.string()),
    }),
  })
  .openapi("Assembled");

const signal = {
  file_opened: Path.optional(),
  branch: z.string().max(300).optional(),
  error: ShortText.optional(),
  at: TimeInput.optional(),
  collaborator: z.string().max(200).optional(),
  recent_files: z.array(Path).max(200).optional(),
  seen: Text.optional(),
};

export const PredictBody = z
  .strictObject({ ...signal, limit: z.int().min(1).max(100).optional() })
  .openapi("Predict", { example: { file_opened: "src/auth/login.ts" } });

const predicted = { confidence: z.number(), reasons: z.array(z.string()) };

export const PredictionSchema = z
  .object({
    predicted_memories: z.array(z.object({ memory: MemorySchema, ...predicted })),
    predicted_files: z.array(z.object({ path: z.string(), ...predicted })),
    confidence: z.number(),
  })
  .openapi("Prediction");

export const SignalBody = z.strictObject({ ...signal, session_id: Id.optional() }).openapi("Signal", {
  description: "A signal. It trains the predictions, and the memories it predicts are prefetched.",
});

export const ExpandBody = z
  .strictObject({ pointer: z.string().min(1).max(300) })
  .openapi("Expand", { description: "Id or topic of an index entry." });

export const ExpandedSchema = z
  .object({ items: z.array(z.object({ id: z.string(), text: z.string(), memory: MemorySchema })) })
  .openapi("Expanded");
