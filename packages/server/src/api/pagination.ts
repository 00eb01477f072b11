import { z } from "@hono/zod-openapi";
import { InvalidOptionError } from "throughline";
import { Limit } from "./schemas/common.ts";

/** Query parameters of paginated lists. */
export const pageQuery = {
  cursor: z.string().max(500).optional().openapi({ description: "`next_cursor` of the previous page." }),
  limit: Limit,
};

export function pageOf<T extends z.ZodType>(items: T) {
  return z.object({
    items: z.array(items),
    next_cursor: z.string().nullable().openapi({ description: "Cursor of the next page; null at the end." }),
  });
}

/** The id after which a page starts. */
export function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.length === 0 || bytes.toString("base64url") !== cursor) {
    throw new InvalidOptionError("cursor", cursor, "the `next_cursor` of the previous page");
  }
  return bytes.toString("utf8");
}

function writeCursor(after: string): string {
  return Buffer.from(after, "utf8").toString("base64url");
}

/** Cuts a page from a list that was read with one item more than fits, so that the last page is recognized. */
export function cutPage<T>(found: readonly T[], limit: number, idOf: (item: T) => string) {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: found.length > limit && last !== undefined ? writeCursor(idOf(last)) : null };
}

/** The position after which a page starts: the cursor of lists without ids is a position. */
export function readPosition(cursor: string | undefined): number {
  const position = Number(readCursor(cursor) ?? 0);
  return Number.isSafeInteger(position) && position >= 0 ? position : 0;
}

/** Cuts a page from a whole list without ids. */
export function cutAt<T>(
  list: readonly T[],
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
) {
  const from = readPosition(cursor);
  return cutPage(list.slice(from, from + limit + 1), limit, () => String(from + limit));
}
