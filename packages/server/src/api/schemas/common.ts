import { z } from "@hono/zod-openapi";

// Forms that several bodies have.

export const Id = z.string().min(1).max(300);
/** A text that somebody wrote. */
export const Text = z.string().max(1_000_000);
export const ShortText = z.string().max(10_000);
export const Time = z.iso.datetime({ offset: true }).openapi({ format: "date-time" });
/** As a body gives it; milliseconds since 1970 for the library. */
export const TimeInput = Time.transform((text) => Date.parse(text));
export const Tokens = z.int().min(1).max(100_000_000);

export const Kind = z.enum(["fact", "episode", "pattern", "workflow"]);
export const Scope = z.enum(["user-private", "project-shared", "system"]);
export const Category = z.enum(["identity", "preference", "project"]);

export const idParam = z.object({ id: Id.openapi({ param: { name: "id", in: "path" } }) });
