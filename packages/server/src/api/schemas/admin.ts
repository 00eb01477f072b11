import { z } from "@hono/zod-openapi";
import { Time, TimeInput } from "./common.ts";

const Scope = z.enum(["read", "write", "admin"]);

export const TokenSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    user_id: z.string(),
    projects: z.array(z.string()),
    scopes: z.array(Scope),
    created_at: Time,
    expires_at: Time.optional(),
    revoked_at: Time.optional(),
    last_used_at: Time.optional(),
  })
  .openapi("Token", { description: "A token without its secret, which is not stored." });

export const CreateTokenBody = z
  .strictObject({
    name: z.string().min(1).max(200),
    user_id: z.string().min(1).max(200),
    projects: z.array(z.string().min(1).max(200)).max(1_000).default([]),
    scopes: z.array(Scope).min(1).max(3).default(["read", "write"]),
    expires_at: TimeInput.optional(),
  })
  .openapi("CreateToken", { example: { name: "laptop", user_id: "ada", projects: ["shop"] } });

export const CreatedTokenSchema = z
  .object({ token: z.string().openapi({ description: "Returned only once." }), details: TokenSchema })
  .openapi("CreatedToken");

export const JobStateSchema = z.enum(["waiting", "running", "done", "dead"]);

export const JobSchema = z
  .object({
    id: z.string(),
    kind: z.string(),
    project_id: z.string().optional(),
    state: JobStateSchema,
    attempts: z.int(),
    max_attempts: z.int(),
    run_at: Time,
    created_at: Time,
    finished_at: Time.optional(),
    lease_until: Time.optional(),
    last_error: z.string().optional(),
  })
  .openapi("Job");

const counts = {
  memories: z.int().openapi({ description: "Number of memories that are true now and not archived." }),
  archived: z.int(),
  sessions: z.int().openapi({ description: "Number of sessions with stored messages." }),
  last_used_at: Time.optional(),
};

export const ProjectsSchema = z
  .object({
    items: z.array(z.object({ id: z.string(), ...counts }).openapi("Project")),
    personal: z
      .object(counts)
      .openapi({ description: "Counts of personal memories, which are visible in all projects." }),
  })
  .openapi("Projects");

export const ImportRecordSchema = z
  .object({
    id: z.string(),
    at: Time,
    sources: z.array(z.string()),
    sessions: z.int(),
    utterances: z.int(),
    undone_at: Time.optional(),
  })
  .openapi("ImportRecord");

export const UndoneImportSchema = z
  .object({
    id: z.string(),
    at: Time,
    sources: z.array(z.string()),
    was_undone: z.boolean().openapi({ description: "True if the import was already undone; then nothing changed." }),
    sessions: z.int(),
    turns: z.int(),
    memories: z.int(),
    restored: z.int(),
    kept_sessions: z.array(z.object({ id: z.string(), reason: z.enum(["existed", "continued"]) })),
    kept_memories: z.array(
      z.object({ id: z.string(), text: z.string(), reason: z.enum(["changed", "other-sources"]) }),
    ),
  })
  .openapi("UndoneImport", { description: "Counts of erased and restored items, and the items that were kept." });
