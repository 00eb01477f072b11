import { z } from "@hono/zod-openapi";

// Schemas that several bodies share.

export const Id = z.string().min(1).max(300);
/** Free text. */
export const Text = z.string().max(1_000_000);
export const ShortText = z.string().max(10_000);
export const Time = z.iso.datetime({ offset: true }).openapi({ format: "date-time" });
/** ISO time in the body, milliseconds since 1970 in the library. */
export const TimeInput = Time.transform((text) => Date.parse(text));
export const Tokens = z.int().min(1).max(100_000_000);

export const Kind = z.enum(["fact", "episode", "pattern", "workflow"]);
export const Scope = z.enum(["user-private", "project-shared", "system"]);
export const Category = z.enum(["identity", "preference", "project"]);

/** Page size of lists. */
export const Limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(200)
  .default(50)
  .openapi({ description: "Maximum number of items." });

export const idParam = z.object({ id: Id.openapi({ param: { name: "id", in: "path" } }) });
