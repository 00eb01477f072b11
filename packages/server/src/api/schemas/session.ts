import { z } from "@hono/zod-openapi";
import { Id, ShortText, Text, Time, Tokens } from "./common.ts";

const SessionOptionsBody = z.strictObject({
  model_id: z.string().max(200).optional(),
  context_limit: Tokens.optional(),
  output_reserve: Tokens.optional(),
  profile: z.enum(["coding", "content", "chat"]).optional(),
  remember: z
    .boolean()
    .optional()
    .openapi({ description: "Store the messages as evidence and extract facts from them." }),
});

export const CreateSessionBody = SessionOptionsBody.extend({
  id: Id.optional().openapi({ description: "Generated if not given." }),
}).openapi("CreateSession", { example: { id: "checkout-bug", model_id: "gpt-4o", remember: true } });

export const SessionSchema = z
  .object({
    id: z.string(),
    options: SessionOptionsBody,
    appended: z.int(),
    compactions: z.int(),
    receipts: z.int(),
    last_compaction_at: Time.optional(),
    is_compacting: z.boolean(),
  })
  .openapi("Session");

/** AI SDK messages or Throughline messages. Their reader validates the content. */
export const MessageSchema = z
  .looseObject({ role: z.string() })
  .openapi("Message", { description: "An AI SDK ModelMessage, or a Throughline message." });

export const AppendBody = z
  .strictObject({ messages: z.array(MessageSchema).min(1).max(2_000) })
  .openapi("Append", { example: { messages: [{ role: "user", content: "Fix the login bug." }] } });

export const AppendedSchema = z.object({ appended: z.int() }).openapi("Appended");

export const PrepareBody = z
  .strictObject({
    system: Text.optional(),
    budget: Tokens.optional(),
    max_bytes: z.int().min(1).optional(),
    tool_tokens: z.int().min(0).optional(),
    memory: z.boolean().optional(),
    message: Text.optional(),
    wait_for_model: z
      .boolean()
      .optional()
      .openapi({ description: "Wait for the model's summary if a compaction is due and none is ready." }),
  })
  .openapi("Prepare", { example: { system: "You fix bugs.", memory: true } });

const ReceiptItem = z.object({
  rule: z.string(),
  role: z.string(),
  tokens: z.number(),
  message_id: z.string(),
  sources: z.array(z.string()).optional(),
  reasons: z.record(z.string(), z.string()).optional(),
  shortened: z.array(z.string()).optional(),
});

export const ReceiptTotals = z.object({
  id: z.string(),
  session_id: z.string(),
  created_at: Time,
  model_id: z.string(),
  budget: z.number(),
  tokens: z.number(),
  counted: z.number(),
});

export const ReceiptSchema = ReceiptTotals.extend({
  items: z.array(ReceiptItem),
  near_misses: z.array(z.object({ message_id: z.string(), tokens: z.number(), reason: z.string() })),
  user_rules: z
    .array(
      z.object({
        text: z.string(),
        rule: z.string().optional(),
        message_id: z.string().optional(),
        handle: z.string().optional(),
      }),
    )
    .optional(),
  handles: z.array(z.string()),
  repairs: z.array(z.looseObject({})),
  notes: z.array(z.string()),
  usage: z
    .object({
      input_tokens: z.number(),
      cache_read_tokens: z.number().optional(),
      cache_write_tokens: z.number().optional(),
    })
    .optional(),
}).openapi("Receipt", { description: "Why each token is in the window." });

export const TurnSchema = z
  .object({
    messages: z.array(MessageSchema),
    system: z.string(),
    tokens: z.object({
      before: z.int(),
      after_prune: z.int(),
      after_compact: z.int(),
      final: z.int(),
    }),
    was_pruned: z.boolean(),
    was_compacted: z.boolean(),
    receipt: ReceiptSchema.partial()
      .extend(ReceiptTotals.shape)
      .openapi("TurnReceipt", { description: "Id and totals of the receipt; with `?receipt=full` all its fields." }),
  })
  .openapi("Turn", { description: "A window that fits the model, ready to send." });

export const CompactBody = z
  .strictObject({
    focus: ShortText.optional(),
    target_tokens: Tokens.optional(),
    keep_tokens: z.int().min(0).optional(),
  })
  .openapi("Compact");

export const PreviewBody = CompactBody.extend({
  budget: Tokens.optional().openapi({ description: "Maximum tokens of the whole request, to try." }),
  profile: z.enum(["coding", "content", "chat"]).optional(),
  model_id: z.string().max(200).optional(),
}).openapi("PreviewCompaction");

export const CompactionSchema = z
  .object({
    id: z.string(),
    round: z.int(),
    created_at: Time,
    tokens_before: z.number(),
    tokens_after: z.number(),
    summary: z.string(),
    is_undone: z.boolean().optional(),
  })
  .openapi("Compaction");

export const CompactedSchema = z
  .object({
    compaction: CompactionSchema.nullable().openapi({ description: "Null if a compaction would save no tokens." }),
  })
  .openapi("Compacted");

export const PreviewSchema = z
  .object({
    preview: z
      .object({
        tokens_before: z.number(),
        tokens_after: z.number(),
        removed: z.array(z.string()),
        kept: z.array(z.string()),
        summary: z.string(),
        critical: z.array(z.object({ kind: z.string(), text: z.string() })),
        threshold: z.number().openapi({ description: "Tokens above which a turn compacts automatically." }),
      })
      .nullable(),
  })
  .openapi("Preview");

export const EditBody = z
  .strictObject({
    kind: z.enum(["pin", "mask", "release"]).openapi({
      description: "`pin` keeps or restores content verbatim, `mask` removes it, `release` ends both.",
    }),
    handles: z.array(z.string().min(1).max(700)).min(1).max(1_000),
    dry_run: z.boolean().optional().openapi({ description: "Answer with the costs and store nothing." }),
  })
  .openapi("EditWindow", { example: { kind: "mask", handles: ["part:m12.0"], dry_run: true } });

export const EditSchema = z
  .object({
    id: z.string().openapi({ description: "Empty after a dry run." }),
    kind: z.enum(["pin", "mask", "release"]),
    handles: z.array(z.string()),
    created_at: Time,
    tokens_before: z.int(),
    tokens_after: z.int(),
    uncached_tokens: z
      .int()
      .openapi({ description: "Tokens that the next request cannot read from the prompt cache." }),
    is_undone: z.boolean(),
  })
  .openapi("WindowEdit");

export const UndoEditBody = z.strictObject({ edit_id: Id }).openapi("UndoEdit", { example: { edit_id: "edit-1" } });

export const WindowMessageSchema = z
  .object({
    message_id: z.string(),
    role: z.string(),
    tokens: z.int(),
    text: z.string(),
    is_summary: z.boolean(),
    is_pruned: z.boolean().openapi({ description: "True if pruning masked a tool output of the message." }),
    pinned: z.array(z.string()).openapi({ description: "Ids of pinned parts." }),
    masked: z.array(z.string()).openapi({ description: "Ids of parts that were masked by hand." }),
  })
  .openapi("WindowMessage");

export const RestoreBody = z.strictObject({ compaction_id: Id }).openapi("Restore");

export const RecallBody = z.strictObject({ handle: Id }).openapi("Recall", { example: { handle: "part:m12.0" } });

export const RecalledSchema = z.object({ handle: z.string(), messages: z.array(MessageSchema) }).openapi("Recalled");

export const ObserveBody = z
  .strictObject({
    input_tokens: z.int().min(0).optional(),
    cache_read_tokens: z.int().min(0).optional(),
    cache_write_tokens: z.int().min(0).optional(),
    context_limit: Tokens.optional(),
    output_tokens: z.int().min(0).optional(),
    was_refused: z.boolean().optional(),
  })
  .openapi("Observe", { description: "Token usage that the provider reported for the last prepared turn." });
