import type { DexieStore } from "../../../src/store/dexie/dexie.ts";
import { change, entry, journalEntry, noise, receipt, said, storedMemory } from "../../../src/test/samples.ts";
import { appendNext, idsOf } from "../../append-next.ts";
import type { PageApi } from "../page-api.ts";
import { key, outcomeOf, space, storeOn } from "./stores.ts";

const PADDING = noise(50_000);

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
    await Promise.all([
      appendAll(database, ids),
      commitAll(database, ids),
      rememberAll(database, ids),
      learnAll(database, ids),
    ]);
    return { messages: ids, receipts: ids, memories: ids, learned: ids };
  },
  commitFunction: (database) =>
    outcomeOf(() => storeOn(database).sessions.commit(key, { revision: 0, state: { run: () => undefined } })),
  written: async (database) => {
    const store = storeOn(database);
    return {
      messages: await idsOf(store, key),
      receipts: (await store.sessions.receipts(key)).map(({ id }) => id),
      memories: (await store.memories.list(space, "memories")).map(({ id }) => id),
      learned: await learnedIn(store),
    };
  },
};

async function appendAll(database: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) await appendNext(storeOn(database), key, said(key, id));
}

/** The state counts the commits: each adds one to the state it read. */
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
      isWritten = await memories.commit(space, {
        revision,
        memories: [storedMemory(id)],
        entries: [entry(id)],
        journal,
      });
    }
  }
}

/** Each adds itself to a document that is large. */
async function learnAll(database: string, ids: readonly string[]): Promise<void> {
  const store = storeOn(database);
  for (const id of ids) {
    for (let isWritten = false; !isWritten; ) {
      const { revision = 0 } = (await store.documents.get(space, "learned")) ?? {};
      // Read later: if it is not of that revision, nothing is written.
      const value = { ids: [...(await learnedIn(store)), id], padding: PADDING };
      isWritten = await store.documents.put(space, "learned", { revision, value });
    }
  }
}

async function learnedIn({ documents }: DexieStore): Promise<readonly string[]> {
  const { value } = (await documents.get(space, "learned")) ?? {};
  return (value as { readonly ids: readonly string[] } | undefined)?.ids ?? [];
}
