import { z } from "@hono/zod-openapi";
import { Time } from "./common.ts";

const counts = {
  memories: z.int().openapi({ description: "Memories that are true now and not archived." }),
  archived: z.int(),
  sessions: z.int().openapi({ description: "Sessions that messages are stored of." }),
  last_used_at: Time.optional(),
};

export const ProjectsSchema = z
  .object({
    items: z.array(z.object({ id: z.string(), ...counts }).openapi("Project")),
    personal: z.object(counts).openapi({ description: "Memories outside of projects, visible in all of them." }),
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
    was_undone: z.boolean().openapi({ description: "True if it was undone before; then nothing changed." }),
    sessions: z.int(),
    turns: z.int(),
    memories: z.int(),
    restored: z.int(),
    kept_sessions: z.array(z.object({ id: z.string(), reason: z.enum(["existed", "continued"]) })),
    kept_memories: z.array(
      z.object({ id: z.string(), text: z.string(), reason: z.enum(["changed", "other-sources"]) }),
    ),
  })
  .openapi("UndoneImport", { description: "Numbers of erased items and of restored memories, and what was kept." });
