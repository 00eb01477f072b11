import { z } from "@hono/zod-openapi";
import { ShortText, Text, Time } from "./common.ts";

const Resolution = z.enum(["a_wins", "b_wins", "both_valid", "merged"]);

export const ContradictionSchema = z
  .object({
    id: z.string(),
    memory_a: z.string(),
    memory_b: z.string(),
    detected_at: Time,
    reason: z.string(),
    status: z.enum(["open", "resolved"]),
    resolved_at: Time.optional(),
    resolution: Resolution.optional(),
    note: z.string().optional(),
  })
  .openapi("Contradiction");

export const ResolveBody = z
  .strictObject({
    resolution: Resolution,
    note: ShortText.optional(),
    text: Text.min(1).optional().openapi({ description: "Text of the merged memory." }),
  })
  .openapi("Resolve", { example: { resolution: "b_wins", note: "Migration completed, A is outdated" } });

export const ConsolidateBody = z.strictObject({ dry_run: z.boolean().default(false) }).openapi("Consolidate");

export const ConsolidatedSchema = z
  .object({
    deduped: z.int(),
    compressed: z.int(),
    forgotten: z.int(),
    contradictions_found: z.int(),
    adjusted: z.int(),
    linked: z.int(),
    journal_id: z.string().optional().openapi({ description: "Journal entry that undoes all changes." }),
    changes: z
      .array(
        z.object({
          action: z.enum(["merge", "archive", "contradiction", "shorten"]),
          id: z.string(),
          other: z.string().optional().openapi({ description: "Memory that it is merged into or contradicts." }),
          reason: z.string().optional(),
          text: z.string().openapi({ description: "Text of the memory." }),
          other_text: z.string().optional(),
        }),
      )
      .optional()
      .openapi({ description: "Planned changes of a dry run, at most 1,000." }),
  })
  .openapi("Consolidated");

export const JournalEntrySchema = z
  .object({
    id: z.string(),
    at: Time,
    action: z.string(),
    undoes: z.string().optional(),
    changes: z.array(z.object({ kind: z.enum(["memory", "contradiction", "turn"]), id: z.string() })),
  })
  .openapi("JournalEntry");
