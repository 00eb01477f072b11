import { expect } from "vitest";
import type { MemoryStore } from "../src/ports/memory-store.ts";
import { change, entry, journalEntry, storedMemory } from "../src/test/samples.ts";

const ROUNDS = 10;

/** Several writers commit to one space as fast as possible: one per revision succeeds, the others retry. */
export async function commitAtOnce(stores: readonly MemoryStore[]): Promise<void> {
  const space = "user:shared";
  const revisions: number[] = [];
  await Promise.all(
    stores.map(async (store, writer) => {
      for (let i = 0; i < ROUNDS; ) {
        const { revision } = await store.head(space);
        const id = `${writer}-${i}`;
        const isWritten = await store.commit(space, {
          revision,
          memories: [storedMemory(id)],
          entries: [entry(id, "words")],
          journal: [journalEntry(id, [change(id)])],
        });
        if (!isWritten) continue;
        revisions.push(revision);
        i += 1;
      }
    }),
  );
  const total = stores.length * ROUNDS;
  const [store] = stores;
  const all = stores.flatMap((_, writer) => Array.from({ length: ROUNDS }, (_, i) => `${writer}-${i}`)).sort();
  expect(revisions.sort((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, i) => i));
  expect(await store?.head(space)).toEqual({ revision: total, epoch: 0 });
  expect((await store?.list(space, "memories"))?.map(({ id }) => id)).toEqual(all);
  const entries = (await store?.list(space, "entries", { limit: 1000 })) ?? [];
  expect(entries.map(({ revision }) => revision)).toEqual(Array.from({ length: total }, (_, i) => i + 1));
  const journal = (await store?.list(space, "journal", { limit: 1000 })) ?? [];
  expect(journal.map(({ id }) => id)).toEqual(entries.map(({ id }) => id).reverse());
}
