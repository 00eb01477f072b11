import type { PageApi } from "../page-api.ts";
import { key, space, storeOn } from "./stores.ts";

const METHODS = ["get", "getAll", "getAllKeys", "getAllRecords", "openCursor", "openKeyCursor", "count"];

/** Records the requests to IndexedDB during a call, with their ranges. */
async function requestsOf(work: () => Promise<unknown>): Promise<{ name: string; range: unknown }[]> {
  const requests: { name: string; range: unknown }[] = [];
  const restore: (() => void)[] = [];
  for (const prototype of [IDBObjectStore.prototype, IDBIndex.prototype] as unknown as Record<string, unknown>[]) {
    for (const method of METHODS) {
      const original = prototype[method];
      if (typeof original !== "function") continue;
      prototype[method] = function (this: { name: string }, range: unknown, ...rest: unknown[]) {
        requests.push({ name: `${this.name} ${method}`, range });
        return original.call(this, range, ...rest);
      };
      restore.push(() => {
        prototype[method] = original;
      });
    }
  }
  try {
    await work();
  } finally {
    for (const undo of restore) undo();
  }
  return requests;
}

export const reads: Pick<PageApi, "readAll"> = {
  readAll: async (database) => {
    const requests = await requestsOf(() => readEverything(database));
    return {
      requests: requests.length,
      whole: requests.filter(({ range }) => !hasRange(range)).map(({ name }) => name),
    };
  },
};

/** A key, a stretch of keys, or the options of a request with one. */
function hasRange(range: unknown): boolean {
  if (typeof range === "object" && range !== null && "query" in range) return range.query !== undefined;
  return range !== undefined && range !== null;
}

async function readEverything(database: string): Promise<void> {
  const { messages, sessions, memories, documents, blobs, conversations } = storeOn(database);
  await messages.list(key);
  await messages.get(key, ["a", "b"]);
  await messages.list(key, { parts: ["a"] });
  await messages.taken(key, { messages: ["a"], parts: ["a"] });
  await messages.marks(key);
  await sessions.head(key);
  await sessions.state(key);
  await sessions.compactions(key);
  await sessions.receipts(key, 1);
  await sessions.list(key.userId);
  await memories.head(space);
  await memories.list(space, "memories");
  await memories.list(space, "memories", { current: true, categorized: true, limit: 10 });
  await memories.list(space, "memories", { sessionId: "s", matchAny: { slots: ["a"] } });
  await memories.list(space, "memories", { current: true, matchAny: { slots: ["a", "b"], fingerprints: ["a"] } });
  await memories.list(space, "turns", { sessionId: "s" });
  await memories.list(space, "turns", { sessionId: "s", newestFirst: true, limit: 1 });
  await memories.list(space, "entries", { limit: 100 });
  await memories.list(space, "entries", { withoutVectorOf: "words", limit: 100 });
  await memories.list(space, "contradictions");
  await memories.list(space, "contradictions", { of: ["a"], status: "open" });
  await memories.list(space, "journal", { limit: 100 });
  await memories.get(space, "judgements", ["a"]);
  await memories.get(space, "entries", ["a"]);
  await documents.get(space, "a");
  await documents.list(space, "a");
  await documents.list(space);
  await blobs.get(space, ["a"]);
  await blobs.list(space);
  await blobs.list(space, "a");
  await conversations.list(key.userId);
}
