import { z } from "@hono/zod-openapi";
import { InvalidOptionError } from "throughline";

const DEFAULT_LIMIT = 50;
const MOST = 200;

/** What a list can be asked for page by page. */
export const pageQuery = {
  cursor: z.string().max(500).optional().openapi({ description: "`next_cursor` of the page before." }),
  limit: z.coerce.number().int().min(1).max(MOST).default(DEFAULT_LIMIT).openapi({ description: "At most so many." }),
};

export function pageOf<T extends z.ZodType>(items: T) {
  return z.object({
    items: z.array(items),
    next_cursor: z.string().nullable().openapi({ description: "Where the next page begins; null at the end." }),
  });
}

/** The id behind which a page begins. */
export function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.length === 0 || bytes.toString("base64url") !== cursor) {
    throw new InvalidOptionError("cursor", cursor, "the `next_cursor` of the page before");
  }
  return bytes.toString("utf8");
}

function writeCursor(after: string): string {
  return Buffer.from(after, "utf8").toString("base64url");
}

/** A page of a list that was asked for one more than fit: so the end is known. */
export function cutPage<T>(found: readonly T[], limit: number, idOf: (item: T) => string) {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: found.length > limit && last !== undefined ? writeCursor(idOf(last)) : null };
}
