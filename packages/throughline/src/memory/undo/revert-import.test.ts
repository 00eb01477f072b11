import { expect, it } from "vitest";
import type { Memory } from "../../ports/memory.ts";
import { openMemory } from "../open-memory.fixture.ts";
import { indexMemory } from "../space/index-memory.ts";
import { type ImportRecord, readImportRecord, recordImport } from "./import-record.ts";
import { digestMemory } from "./journal-entry.ts";

it.each([
  ["keeps an imported memory that a consolidation merged another one into", true],
  ["erases an imported memory that a consolidation only adjusted", false],
])("%s", async (_, isMerged) => {
  const { memory, store, clock } = await openMemory();
  const recorded = recordImport(store, { userId: "local", clock, sources: ["list.txt"] });
  const { memory: importing } = await openMemory({ store: recorded.store, clock });
  const { memory: own } = await memory.remember({ text: "The depot closes at six." });
  const { memory: imported } = await importing.remember({ text: "Orders are packed by hand." });
  const changed: readonly (readonly [Memory, Memory])[] = [
    [imported, { ...imported, confidence: 0.9 }],
    [own, { ...own, ...(isMerged && { archivedAt: clock.now(), supersededBy: imported.id }) }],
  ];
  const changes = changed.map(([before, after]) => {
    return { kind: "memory" as const, id: before.id, before, after: digestMemory(after) };
  });
  const { revision } = await store.memories.head("user:local");
  await store.memories.commit("user:local", {
    revision,
    memories: changed.map(([, after]) => indexMemory(after)),
    journal: [{ id: "jrn_consolidation", at: clock.now(), action: "consolidate", changes }],
  });
  const record = await readImportRecord({ documents: store.documents, userId: "local" }, recorded.id);
  const { erased, kept } = await memory.revertImport(record as ImportRecord);
  expect({ erased, kept: kept.map(({ id }) => id) }).toEqual(
    isMerged ? { erased: [], kept: [imported.id] } : { erased: [imported.id], kept: [] },
  );
});
