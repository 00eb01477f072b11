import type { MemoryService } from "throughline";
import { isDeleted } from "throughline/internal/engine";

/** Writes memories as a file. Deleted ones are left out, with all that is noted of them. */
export async function exportMemories(
  memory: Pick<MemoryService, "export" | "exportMarkdown">,
  format: "json" | "markdown",
): Promise<string> {
  if (format === "markdown") return memory.exportMarkdown();
  const exported = await memory.export();
  const deleted = new Set(exported.memories.filter(isDeleted).map(({ id }) => id));
  const journal = exported.journal?.flatMap((entry) => {
    const changes = entry.changes.filter(({ id }) => !deleted.has(id));
    return changes.length === 0 ? [] : [{ ...entry, changes }];
  });
  const content = {
    ...exported,
    memories: exported.memories.filter(({ id }) => !deleted.has(id)),
    contradictions: exported.contradictions.filter(
      ({ memoryA, memoryB }) => !deleted.has(memoryA) && !deleted.has(memoryB),
    ),
    ...(journal !== undefined && { journal }),
  };
  return JSON.stringify(content, undefined, 2);
}
