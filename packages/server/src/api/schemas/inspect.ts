import { z } from "@hono/zod-openapi";
import { BANDS } from "throughline/internal/inspect";
import { pageOf } from "../pagination.ts";
import { Time } from "./common.ts";

const WorstSchema = z
  .object({
    compaction: z.int().openapi({ description: "Zero-based number of the compaction in its session." }),
    tokens_before: z.number(),
    tokens_after: z.number(),
    needed: z.int().openapi({ description: "Number of names from before the compaction that the next 40 calls used." }),
    gone: z.int().openapi({ description: "Number of these names that the compaction lost." }),
    lookups: z.int().openapi({ description: "Number of repeated lookups." }),
    lookup_tokens: z.number(),
  })
  .openapi("WorstCompaction");

const InspectedSessionSchema = z
  .object({
    id: z.string(),
    agent: z.string().openapi({ description: "`throughline` for sessions of the store." }),
    title: z.string(),
    project: z.string().optional(),
    started_at: Time.optional(),
    changed_at: Time,
    calls: z.int(),
    tokens: z.number().openapi({ description: "Tokens of the last window." }),
    limit: z.number().openapi({ description: "Context limit of the model." }),
    compactions: z.int(),
    worst: WorstSchema.optional(),
  })
  .openapi("InspectedSession");

const progress = {
  total: z.int().openapi({ description: "Number of files and stored sessions." }),
  waiting: z.int().openapi({ description: "Number of files and sessions that are still being read." }),
  failed: z.int().openapi({ description: "Number of files and sessions that could not be read." }),
};

export const InspectedSessionsSchema = pageOf(InspectedSessionSchema)
  .extend({
    ...progress,
    agents: z.array(z.string()).openapi({ description: "Distinct agents of all sessions." }),
    projects: z.array(z.string()).openapi({ description: "Distinct projects of all sessions." }),
  })
  .openapi("InspectedSessionPage");

export const WorstSessionSchema = z
  .object({
    session: InspectedSessionSchema.optional(),
    ...progress,
  })
  .openapi("WorstSession");

const Band = z.enum(BANDS);
const Bands = z.object(Object.fromEntries(BANDS.map((band) => [band, z.number()] as const)));
const Index = z.int();

const CallSchema = z
  .object({
    message: Index,
    tokens: z.number(),
    bands: Bands,
    removed: z.number().optional(),
    at: Time.optional(),
    model_id: z.string().optional(),
    reported: z.number().optional(),
    cache: z
      .object({
        read: z.number(),
        written: z.number(),
        uncached: z.number(),
        lost: z
          .object({
            tokens: z.number(),
            cause: z.string(),
            message: Index.optional().openapi({ description: "Index of the message with the first changed part." }),
          })
          .optional(),
      })
      .optional(),
  })
  .openapi("InspectedCall");

const NamePlace = z.object({ message: Index, text: z.string() });

const ReportedCompactionSchema = z
  .object({
    first_message: Index.openapi({ description: "Index of the first message after the compaction." }),
    call: Index.openapi({ description: "Index of the first call after the compaction." }),
    trigger: z.string().optional(),
    created_at: Time.optional(),
    tokens_before: z.number(),
    tokens_after: z.number(),
    bands_before: Bands,
    summary: z.string().optional(),
    review: z
      .object({
        calls: z.int().openapi({ description: "Number of reviewed tool calls after the compaction, at most 40." }),
        needed: z.int().openapi({ description: "Number of names from before the compaction that these calls used." }),
        kept: z.int(),
        kept_names: z.array(z.string()),
        missing: z.array(z.string()),
      })
      .optional(),
    lookups: z.array(z.object({ tool_name: z.string(), target: z.string(), message: Index, tokens: z.number() })),
    items: z.array(
      z.object({
        message: Index,
        band: Band,
        tokens: z.number(),
        fate: z
          .enum(["kept", "masked", "mentioned", "gone", "added"])
          .openapi({ description: "`added`: new in the first window afterwards." }),
        text: z.string().optional().openapi({ description: "Text of a mask, or of a message that has no record." }),
      }),
    ),
    evidence: z
      .array(z.object({ name: z.string(), source: NamePlace.optional(), use: NamePlace.optional() }))
      .openapi({ description: "Missing names: the last message that had them, and the first call that used them." }),
    alternative: z
      .object({ text: z.string(), tokens: z.number(), kept: z.array(z.string()), missing: z.array(z.string()) })
      .optional(),
  })
  .openapi("ReportedCompaction");

export const ReportSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    meta: z.object({ cwd: z.string().optional(), branch: z.string().optional(), started_at: Time.optional() }),
    messages: z.array(
      z.object({
        id: z.string().optional().openapi({ description: "Id of the message, if the session is in the store." }),
        role: z.string(),
        text: z.string(),
        tool_calls: z.int().optional(),
        is_only_calls: z
          .boolean()
          .optional()
          .openapi({ description: "True if the message has tool calls and no text." }),
        at: Time.optional(),
        is_summary: z.boolean().optional(),
      }),
    ),
    calls: z.array(CallSchema),
    compactions: z.array(ReportedCompactionSchema),
    rules: z.array(
      z.object({
        text: z.string(),
        message: Index,
        present: z.array(z.array(Index)),
        missing_from: Index.optional(),
        repeated_in: Index.optional(),
      }),
    ),
  })
  .openapi("SessionReport", { description: "The windows of a session, and what each compaction kept and lost." });

const WindowItemSchema = z
  .object({
    message: Index.openapi({ description: "Index in the session." }),
    message_id: z.string(),
    role: z.string(),
    band: Band,
    tokens: z.number(),
    text: z.string(),
  })
  .openapi("WindowItem");

export const SentWindowSchema = pageOf(WindowItemSchema)
  .extend({
    tokens: z.number(),
    bands: Bands,
    unrecorded: z
      .number()
      .openapi({ description: "Tokens of instructions, tools and other content without a record." }),
    reported: z.number().optional().openapi({ description: "Input tokens that the provider reported." }),
    total: z.int().openapi({ description: "Number of messages in the window." }),
  })
  .openapi("SentWindow", {
    description: "The window of a call. Its items and the unrecorded tokens add up to tokens.",
  });

export const WindowDiffSchema = pageOf(
  WindowItemSchema.extend({ change: z.enum(["kept", "removed", "added"]) }).openapi("WindowChange"),
)
  .extend({
    tokens: z.object({ from: z.number(), to: z.number() }),
    unrecorded: z.object({ from: z.number(), to: z.number() }),
    kept: z.number(),
    removed: z.number(),
    added: z.number(),
    resized: z.number().openapi({ description: "Change in size of the kept messages." }),
  })
  .openapi("WindowDiff", {
    description:
      "`kept` + `removed` + `unrecorded.from` is `tokens.from`; with `added` and `resized` it is `tokens.to`.",
  });

export const NoteSchema = z.object({ text: z.string(), tokens: z.number() }).openapi("HandoverNote");

export const PayloadSchema = z
  .object({ provider: z.string(), messages: z.array(z.looseObject({})) })
  .openapi("ProviderPayload");
