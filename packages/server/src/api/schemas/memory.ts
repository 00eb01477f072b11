import { z } from "@hono/zod-openapi";
import { Category, Id, Kind, Scope, ShortText, Text, Time, TimeInput } from "./common.ts";

const Artifact = z.strictObject({ type: z.enum(["commit", "pr", "adr", "file"]), ref: z.string().min(1).max(200) });

export const Source = z.object({
  session_id: z.string().optional(),
  message_id: z.string().optional(),
  speaker: z.string().optional(),
  at: Time.optional(),
  quote: z.string().optional(),
});

const SourceInput = z.strictObject({
  session_id: Id.optional(),
  message_id: Id.optional(),
  speaker: z.string().max(200).optional(),
  at: TimeInput.optional(),
  quote: ShortText.optional(),
});

export const MemorySchema = z
  .object({
    id: z.string(),
    kind: Kind,
    levels: z.object({ full: z.string(), summary: z.string(), compressed: z.string(), index: z.string() }),
    served_level: z.enum(["summary", "compressed", "index"]).optional(),
    key: z.string().optional(),
    value: z.string().optional(),
    subject: z.string().optional(),
    aliases: z.array(z.string()),
    category: Category.optional(),
    confidence: z.number(),
    mentions: z.number(),
    pinned: z.boolean(),
    by_hand: z.boolean(),
    owner: z.string(),
    project_id: z.string().optional(),
    scope: Scope,
    created_at: Time,
    last_seen_at: Time,
    valid_from: Time,
    valid_to: Time.optional(),
    archived_at: Time.optional(),
    reviewed_at: Time.optional().openapi({ description: "Time at which a person accepted the memory." }),
    supersedes: z.string().optional(),
    superseded_by: z.string().optional(),
    usage: z.object({
      retrieved: z.int(),
      cited: z.int(),
      ignored: z.int(),
      last_accessed_at: Time.optional(),
    }),
    source: Source,
    artifacts: z.array(Artifact),
    links: z.array(z.string()),
  })
  .openapi("Memory");

export const RememberBody = z
  .strictObject({
    text: Text.min(1),
    kind: Kind.optional(),
    category: Category.optional(),
    key: z.string().max(200).optional(),
    value: ShortText.optional(),
    subject: z.string().max(200).optional(),
    aliases: z.array(z.string().max(200)).max(50).optional(),
    scope: Scope.optional(),
    pinned: z.boolean().optional(),
    valid_from: TimeInput.optional(),
    source: SourceInput.optional(),
    replaces: z
      .array(z.string().max(200))
      .max(20)
      .optional()
      .openapi({ description: "Ids of memories that this one makes outdated. They end when it begins." }),
    by_hand: z.boolean().optional(),
    artifacts: z.array(Artifact).max(100).optional(),
    title: z.string().max(500).optional(),
    steps: z.array(z.string().max(500)).max(100).optional(),
    template: z.record(z.string().max(200), ShortText).optional(),
    keep_secrets: z.boolean().optional(),
  })
  .openapi("Remember", { example: { text: "We deploy on Fridays.", key: "deploy_day", value: "Friday" } });

export const RememberedSchema = z
  .object({
    memory: MemorySchema,
    outcome: z.enum(["added", "merged", "replaced"]),
    updates_fact_id: z.string().optional(),
    related: z.array(MemorySchema).openapi({
      description: "Current facts about related things, at most five. Save again with `replaces` if one is outdated.",
    }),
  })
  .openapi("Remembered");

export const PatchBody = z
  .strictObject({
    text: Text.min(1).optional(),
    category: Category.nullable().optional(),
    key: z.string().max(200).nullable().optional(),
    value: ShortText.nullable().optional(),
    subject: z.string().max(200).nullable().optional(),
    aliases: z.array(z.string().max(200)).max(50).optional(),
    confidence: z.number().min(0).max(1).optional(),
    pinned: z.boolean().optional(),
    scope: Scope.optional(),
    valid_from: TimeInput.optional(),
    valid_to: TimeInput.nullable().optional(),
    archived: z.boolean().optional().openapi({ description: "`false` restores an archived memory." }),
    reviewed: z.boolean().optional().openapi({ description: "`true` accepts the memory; `false` removes the mark." }),
    artifacts: z.array(Artifact).max(100).optional(),
    links: z.array(Id).max(1_000).optional(),
    keep_secrets: z.boolean().optional(),
  })
  .openapi("MemoryPatch", { example: { pinned: true } });

export const SearchBody = z
  .strictObject({
    query: ShortText.min(1),
    limit: z.int().min(1).max(200).optional(),
    cut: z.enum(["calibrated", "none"]).optional().openapi({ description: "`none` fills up to the limit." }),
    from: z.enum(["both", "memories", "turns"]).optional(),
    kinds: z.array(Kind).min(1).max(4).optional(),
    scope: Scope.optional(),
    as_of: TimeInput.optional(),
    budget: z.int().min(1).max(1_000_000).optional(),
  })
  .openapi("Search", { example: { query: "When do we deploy?" } });

export const HitSchema = z
  .object({
    type: z.enum(["memory", "turn"]),
    id: z.string(),
    text: z.string(),
    score: z.number(),
    reasons: z.array(z.string()),
    source: Source.omit({ quote: true }),
    memory: MemorySchema.optional(),
  })
  .openapi("Hit");

export const IngestBody = z
  .strictObject({
    session_id: Id,
    messages: z
      .array(
        z.strictObject({
          id: Id.optional(),
          role: z.string().min(1).max(50),
          name: z.string().max(200).optional(),
          text: Text,
          at: TimeInput.optional(),
        }),
      )
      .min(1)
      .max(1_000),
    keep_secrets: z.boolean().optional(),
  })
  .openapi("Ingest");

export const IngestedSchema = z
  .object({ turns: z.array(z.string()), memories: z.array(RememberedSchema) })
  .openapi("Ingested");

export const ImportedSchema = z
  .object({
    format: z.string(),
    added: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    turns: z.int(),
    skipped: z.array(z.string()),
    proposed: z.array(z.string()).optional(),
    import_id: z
      .string()
      .optional()
      .openapi({ description: "Id for `POST /imports/{id}/undo`; missing if nothing was written." }),
  })
  .openapi("Imported");

export const ErasedSchema = z
  .object({ memories: z.int(), turns: z.int(), contradictions: z.int() })
  .openapi("Erased", { description: "The number of permanently erased items." });

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
    journal_id: z.string().optional().openapi({ description: "Id of the journal entry with all changes." }),
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
