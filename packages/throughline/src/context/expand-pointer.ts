import type { MemoryService } from "../memory/memory-service.ts";
import { memoryText } from "../memory/staleness/mark-stale.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { Expanded } from "./context-api.ts";
import { isNewer } from "./entry-groups.ts";
import type { MemoryIndex } from "./memory-index.ts";
import { type MemoryIndexEntry, normalizeTopic } from "./memory-index-entry.ts";
import { findEntry } from "./tiers/score-candidates.ts";
import { TOPIC_ID } from "./tiers/topic-id.ts";

const MAX_EXPANDED = 20;
const MAX_RELEVANT = 5;

/**
 * Finds the memories behind a pointer of the index tier, newest first: by id, topic or name. Other text is used as a
 * search query.
 */
export async function findPointedTo(
  pointer: string,
  memoryIndexes: readonly MemoryIndex[],
  memory: Pick<MemoryService, "findRelevant">,
): Promise<readonly MemoryIndexEntry[]> {
  const byId = findEntry({ memoryIndexes }, pointer);
  if (byId !== undefined) return [byId];
  const topic = normalizeTopic(pointer.startsWith(TOPIC_ID) ? pointer.slice(TOPIC_ID.length) : pointer);
  const named = memoryIndexes.flatMap((memoryIndex) => memoryIndex.under(topic));
  if (named.length > 0) return named.sort((a, b) => (isNewer(a, b) ? -1 : 1)).slice(0, MAX_EXPANDED);
  const { hits } = await memory.findRelevant(topic, { from: "memories", limit: MAX_RELEVANT });
  return hits.flatMap(({ id }) => findEntry({ memoryIndexes }, id) ?? []);
}

/** Full texts of these memories. */
export async function expandEntries(
  entries: readonly MemoryIndexEntry[],
  memoryStore: MemoryStore,
): Promise<readonly Expanded[]> {
  const loaded = await Promise.all(
    [...Map.groupBy(entries, ({ space }) => space)].map(([space, some]) =>
      memoryStore.get(
        space,
        "memories",
        some.map(({ id }) => id),
      ),
    ),
  );
  const memories = new Map(loaded.flat().map((memory) => [memory.id, memory]));
  return entries.flatMap(({ id }) => {
    const memory = memories.get(id);
    return memory === undefined ? [] : [{ id, text: memoryText(memory, "full"), memory }];
  });
}
