import { z } from "@hono/zod-openapi";
import { Category, Kind, Limit, Scope, ShortText, Time, TimeInput } from "./common.ts";
import { MemorySchema, Source } from "./memory.ts";

const Status = z.enum(["current", "ended", "archived"]);
const AuditKind = z.enum(["secret", "contradiction", "duplicate", "recalled", "unused"]);
const Offset = z.coerce
  .number()
  .int()
  .min(0)
  .max(100_000_000)
  .default(0)
  .openapi({ description: "Number of items before the page." });

export const BrowseQuery = z.object({
  query: ShortText.optional().openapi({ description: "Only current memories that match, best first." }),
  kind: Kind.optional(),
  category: Category.optional(),
  scope: Scope.optional(),
  project_id: z
    .string()
    .max(200)
    .optional()
    .openapi({ description: "Only memories of this project; an empty value selects those outside of projects." }),
  person: z.string().max(200).optional().openapi({ description: "Speaker of the source, or the owner." }),
  status: Status.optional(),
  review: z.enum(["new", "done"]).optional().openapi({ description: "`new`: extracted and not reviewed." }),
  since: TimeInput.optional().openapi({ description: "Last mentioned at this time or later." }),
  before: TimeInput.optional().openapi({ description: "Last mentioned before this time." }),
  order: z.enum(["newest", "oldest"]).optional(),
  offset: Offset,
  limit: Limit,
});

export const BrowsePageSchema = z
  .object({
    total: z.int(),
    items: z.array(z.object({ memory: MemorySchema, reasons: z.array(z.string()) })),
  })
  .openapi("BrowsePage");

const Count = z.int().min(0);

export const FacetsSchema = z
  .object({
    kinds: z.object({ fact: Count, episode: Count, pattern: Count, workflow: Count }),
    categories: z.object({ identity: Count, preference: Count, project: Count }),
    statuses: z.object({ current: Count, ended: Count, archived: Count }),
    projects: z.array(z.object({ id: z.string().optional(), count: Count })),
    people: z.array(z.object({ name: z.string(), count: Count })),
    to_review: Count,
  })
  .openapi("MemoryFacets");

export const HistorySchema = z
  .object({
    versions: z.array(
      z.object({
        memory_id: z.string(),
        text: z.string(),
        from_at: Time,
        until_at: Time.optional(),
        is_valid: z.boolean().openapi({ description: "True if this version was valid at `as_of`." }),
        is_archived: z.boolean(),
      }),
    ),
    changes: z.array(z.object({ journal_id: z.string(), memory_id: z.string(), at: Time, action: z.string() })),
  })
  .openapi("MemoryHistory");

export const EvidenceSchema = z
  .object({
    items: z.array(
      Source.extend({
        message: z.object({ role: z.string(), text: z.string(), is_cut: z.boolean() }).optional(),
        match: z.object({ start: z.int(), end: z.int() }).optional(),
        is_verbatim: z.boolean().optional().openapi({
          description: "True if the stored message contains the quote; missing if there is no message or no quote.",
        }),
      }),
    ),
  })
  .openapi("MemoryEvidence");

const AuditPage = z.object({ kind: AuditKind.optional(), offset: Offset, limit: Limit });

export const AuditQuery = AuditPage.extend({
  wait: z.enum(["true", "false"]).optional().openapi({
    description:
      "`false`: answer at once with the findings so far, and with the progress of the audit. Default: `true`.",
  }),
});

export const AuditBody = z
  .strictObject({
    data: z.string().min(1).max(30_000_000).openapi({ description: "Content of the file, or pasted text." }),
    ...AuditPage.shape,
  })
  .openapi("AuditStore", { example: { data: "- Use tabs\n- Never use tabs", offset: 0, limit: 50 } });

const findings = {
  checked: Count.openapi({ description: "Number of current memories." }),
  counts: z.object({ secret: Count, contradiction: Count, duplicate: Count, recalled: Count, unused: Count }),
  total: Count.openapi({ description: "Number of findings of the requested kind." }),
  items: z.array(
    z.object({
      kind: AuditKind,
      reason: z.string(),
      count: Count.openapi({ description: "Number of memories in the finding; at most 10 of them are listed." }),
      memories: z.array(z.object({ id: z.string(), text: z.string(), created_at: Time })),
    }),
  ),
};

export const AuditSchema = z
  .object({
    ...findings,
    progress: z.number().min(0).max(1).openapi({ description: "Progress of the audit, from 0 to 1." }),
  })
  .openapi("MemoryAudit");

export const ForeignAuditSchema = z
  .object({
    ...findings,
    format: z.enum(["throughline", "mem0", "mcp-memory", "markdown"]),
    has_usage: z.boolean().openapi({ description: "False if the store does not count uses." }),
  })
  .openapi("StoreAudit");
