import type { DocumentStore } from "../../ports/document-store.ts";
import type { MemoryStore } from "../../ports/memory-store.ts";
import type { SessionKey, Store } from "../../ports/store.ts";
import { assertRefused } from "../assert.ts";
import { conversation } from "../samples.ts";
import type { StoreFact } from "../store-check.ts";

export const CLOSE_FACTS: readonly StoreFact[] = [
  [
    "a store that is closed refuses every call",
    async (store, key) => {
      await store.messages.append(key, 0, conversation(key, 1));
      await store.close();
      for (const [name, call] of Object.entries(callsOf(store, key))) await assertRefused(call(), "closed", name);
    },
  ],
  ["a store can be closed before it was used, and twice", (store) => store.close()],
];

function callsOf(store: Store, key: SessionKey): Record<string, () => Promise<unknown>> {
  const { messages, sessions, news } = store;
  return {
    ...memoryCallsOf(store.memories, key.owner),
    ...documentCallsOf(store.documents, key.owner),
    ...(news && { publish: () => news.publish(key, 1), subscribe: () => news.subscribe(key, () => undefined) }),
    append: () => messages.append(key, 1, conversation(key, 1, 1)),
    "get messages": () => messages.get(key, ["m0"]),
    "list messages": () => messages.list(key),
    "list messages by part": () => messages.list(key, { parts: ["m0.0"] }),
    taken: () => messages.taken(key, { messages: ["m0"], parts: [] }),
    marks: () => messages.marks(key),
    head: () => sessions.head(key),
    state: () => sessions.state(key),
    commit: () => sessions.commit(key, { revision: 0 }),
    compactions: () => sessions.compactions(key),
    receipts: () => sessions.receipts(key),
    lease: () => sessions.lease(key, "one", 1000),
    "give back a lease": () => sessions.lease(key, "one", 0),
    list: () => sessions.list(key.owner),
    purge: () => sessions.purge(key),
  };
}

function memoryCallsOf(shelf: MemoryStore, space: string): Record<string, () => Promise<unknown>> {
  return {
    "head of a space": () => shelf.head(space),
    "commit to a space": () => shelf.commit(space, { revision: 0 }),
    memories: () => shelf.memories(space, ["m"]),
    "list of memories": () => shelf.list(space),
    related: () => shelf.related(space, [], ""),
    countUse: () => shelf.countUse(space, ["m"], "cited", 1),
    turns: () => shelf.turns(space, ["t"]),
    turnsOf: () => shelf.turnsOf(space, "s"),
    countTurns: () => shelf.countTurns(space, "s"),
    entries: () => shelf.entries(space, { revision: 0 }, 1),
    entriesWithout: () => shelf.entriesWithout(space, "words", "", 1),
    contradictions: () => shelf.contradictions(space),
    journal: () => shelf.journal(space, { limit: 1 }),
    judgement: () => shelf.judgement(space, "k"),
    keepJudgement: () => shelf.keepJudgement(space, { key: "k", memoryIds: [], contradicts: true }),
    erase: () => shelf.erase(space, { memories: ["m"], turns: [] }),
    "acquire work": () => shelf.acquire(space, "work", "one", 1000),
    "release work": () => shelf.release(space, "work", "one"),
    spaces: () => shelf.spaces(),
  };
}

function documentCallsOf(shelf: DocumentStore, space: string): Record<string, () => Promise<unknown>> {
  return {
    "get of a document": () => shelf.get(space, "d"),
    "put of a document": () => shelf.put(space, "d", { revision: 0, value: 1 }),
    "names of documents": () => shelf.list(space),
    "erase of a document": () => shelf.delete(space, "d"),
    "erase of documents": () => shelf.delete(space, { prefix: "d" }),
  };
}
