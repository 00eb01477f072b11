import type { Memory } from "../ports/memory.ts";
import type { MemoryPatch } from "./memory-api.ts";
import { contextOf, type MemoryService } from "./memory-service.ts";
import { withMemorySpan } from "./memory-spans.ts";
import type { InterruptedMove } from "./remember/change-memory.ts";
import type { InterruptedUndo, Undone } from "./undo/undo-entry.ts";

// Changes that take several commits. A server that repeats a request after a crash continues after the last commit.

/** Like `memory.update`, but skips the copy to the new scope if an earlier attempt wrote it. */
export function resumeUpdate(
  memory: MemoryService,
  id: string,
  patch: MemoryPatch,
  move: InterruptedMove | undefined,
): Promise<Memory> {
  const context = contextOf(memory);
  return withMemorySpan(context, "update", id, async () => {
    const { updateMemory } = await import("./memory-writes.ts");
    return updateMemory(context, id, patch, move);
  });
}

/** Like `memory.undo`, but skips spaces in which an earlier attempt undid the entry. */
export function resumeUndo(
  memory: MemoryService,
  journalId: string,
  undo: InterruptedUndo | undefined,
): Promise<Undone> {
  const context = contextOf(memory);
  return withMemorySpan(context, "undo", journalId, async () => {
    const { undoEntry } = await import("./memory-maintenance.ts");
    return undoEntry(context, journalId, undo);
  });
}
