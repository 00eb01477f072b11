import { change, entry, journalEntry, shelved } from "../../../src/test/memory-samples.ts";
import { receipt, said } from "../../../src/test/samples.ts";
import { appendNext, idsOf } from "../../append-next.ts";
import type { PageApi } from "../page-api.ts";
import { key, outcomeOf, space, storeOn } from "./stores.ts";

type Calls = Pick<PageApi, "append" | "appendUntilRefused" | "writeMany" | "commitFunction" | "written">;

export const writes: Calls = {
  append: (database, id, text) => outcomeOf(() => appendNext(storeOn(database), key, said(key, id, text))),
  appendUntilRefused: async (database, prefix, text) => {
    const ids: string[] = [];
    for (;;) {
      const id = `${prefix}${ids.length}`;
      const last = await writes.append(database, id, text);
      if ("problem" in last) return { ids, last };
      ids.push(id);
    }
  },
  writeMany: async (database, prefix, count) => {
    const ids = Array.from({ length: count }, (_, i) => `${prefix}${i}`);
    await Promise.all([appendAll(database, ids), commitAll(database, ids), rememberAll(database, ids)]);
    return { messages: ids, receipts: ids, memories: ids };
  },
  commitFunction: (database) =>
    outcomeOf(() => storeOn(database).sessions.commit(key, { revision: 0, state: { run: () => undefined } })),
  written: async (database) => {
    const store = storeOn(database);
    return {
      messages: await idsOf(store, key),
      receipts: (await store.sessions.receipts(key)).map(({ id }) => id),
      memories: (await store.memories.list(space)).map(({ id }) => id),
    };
  },
};

async function appendAll(database: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) await appendNext(storeOn(database), key, said(key, id));
}

/** The state counts what was committed: each adds one to what it found. */
async function commitAll(database: string, ids: readonly string[]): Promise<void> {
  const { sessions } = storeOn(database);
  for (const id of ids) {
    for (let isWritten = false; !isWritten; ) {
      const { revision } = await sessions.head(key);
      const state = { count: revision + 1 };
      isWritten = await sessions.commit(key, { revision, state, receipts: [receipt(id)] });
    }
  }
}

async function rememberAll(database: string, ids: readonly string[]): Promise<void> {
  const { memories } = storeOn(database);
  for (const id of ids) {
    for (let isWritten = false; !isWritten; ) {
      const { revision } = await memories.head(space);
      const journal = [journalEntry(id, [change(id)])];
      isWritten = await memories.commit(space, { revision, memories: [shelved(id)], entries: [entry(id)], journal });
    }
  }
}
