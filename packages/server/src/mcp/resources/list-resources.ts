import type { ListResourcesResult, Resource } from "@modelcontextprotocol/server";
import { InvalidOptionError, type Memory } from "throughline";
import { oneLine } from "throughline/internal";
import { writeTime } from "../dates.ts";
import type { McpThroughline } from "../mcp-throughline.ts";
import { memoryUri } from "./memory-uri.ts";

/** Memories in a page of the list. */
const PAGE = 200;
const MAX_NAME_LENGTH = 60;
const MAX_TITLE_LENGTH = 120;
/** A cursor is the id that the last page ended with; nobody but us has to understand it. */
const CURSOR = "after:";

/** A page of what can be read: `first` and then memories, in the order in which they were made. */
export async function listResources(
  { memory }: McpThroughline,
  first: readonly Resource[],
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const after = cursor === undefined ? "" : readCursor(cursor);
  const found = await memory.list({ after, limit: PAGE });
  const resources = [...(cursor === undefined ? first : []), ...found.map(toResource)];
  const last = found.at(-1);
  return found.length < PAGE || last === undefined ? { resources } : { resources, nextCursor: CURSOR + last.id };
}

function readCursor(cursor: string): string {
  if (!cursor.startsWith(CURSOR)) throw new InvalidOptionError("cursor", "none of ours", "one that a list ended with");
  return cursor.slice(CURSOR.length);
}

function toResource({ id, kind, levels, pinned, lastSeenAt }: Memory): Resource {
  return {
    uri: memoryUri(id),
    name: oneLine(levels.index, MAX_NAME_LENGTH) || id,
    title: oneLine(levels.summary, MAX_TITLE_LENGTH) || id,
    description: kind,
    mimeType: "text/plain",
    annotations: { lastModified: writeTime(lastSeenAt), ...(pinned && { priority: 1 }) },
  };
}
