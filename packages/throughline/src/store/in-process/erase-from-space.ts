import { omitUndefined } from "../../internal/json.ts";
import type { Erasure, ErasureReport } from "../../ports/memory-store.ts";
import { type ErasedIds, withoutErased, withoutReferences } from "../without-references.ts";
import { frozenCopy } from "./frozen-copy.ts";
import type { MemorySpace } from "./memory-space.ts";

/** Removes memories and turns from a space, and all references to them. */
export function eraseFromSpace(space: MemorySpace, { memories, turns, write }: Erasure): ErasureReport {
  const gone = new Set(memories);
  // Their use counts stay.
  const rewritten = new Set(write?.memories?.map(({ memory }) => memory.id));
  const contradictions = [...space.contradictions.values()].filter(
    ({ memoryA, memoryB }) => gone.has(memoryA) || gone.has(memoryB),
  );
  const judgements = [...space.judgements.values()].filter(({ memoryIds }) => memoryIds.some((id) => gone.has(id)));
  for (const { id } of contradictions) space.contradictions.delete(id);
  for (const { key } of judgements) space.judgements.delete(key);
  space.entries.erase([...memories, ...turns]);
  space.blobs.clear();
  const report = {
    memories: memories.filter((id) => !rewritten.has(id) && space.removeMemory(id)).length,
    turns: turns.filter((id) => space.removeTurn(id)).length,
    contradictions: contradictions.length,
    journalChanges: eraseFromJournal(space, {
      memories: gone,
      contradictions: new Set(contradictions.map(({ id }) => id)),
      turns: new Set(turns),
    }),
    judgements: judgements.length,
  };
  for (const stored of [...space.memories.behind()]) {
    const memory = withoutReferences(stored.memory, gone);
    if (memory !== stored.memory) space.put(frozenCopy({ ...stored, memory }));
  }
  return report;
}

/** Deletes empty entries too. */
function eraseFromJournal(space: MemorySpace, erased: ErasedIds): number {
  let count = 0;
  for (const entry of [...space.journal.values()]) {
    const changes = entry.changes.flatMap((change) => withoutErased(change, erased) ?? []);
    count += entry.changes.length - changes.length;
    if (changes.length === 0 && entry.changes.length > 0) space.journal.delete(entry.id);
    else space.journal.set(entry.id, frozenCopy(omitUndefined({ ...entry, changes })));
  }
  return count;
}
