import type { MemoryStore } from "../../ports/memory-store.ts";
import type { BlobStore, DocumentStore, SessionKey, Store } from "../../ports/store.ts";
import { assertRefused, assertSame, eventually, type StoreFact } from "../conformance.ts";
import { conversation, HARD_TEXT } from "../samples.ts";

const LISTED = ["memories", "turns", "entries", "contradictions", "journal"] as const;
const COLLECTIONS = [...LISTED, "judgements"] as const;

export const CLOSE_FACTS: readonly StoreFact[] = [
  [
    "a closed store refuses every call",
    async (store, key) => {
      await store.messages.append(key, 0, conversation(key, 1));
      await store.close();
      for (const [name, call] of Object.entries(callsOf(store, key))) await assertRefused(call(), "closed", name);
    },
  ],
  ["a store can be closed before its first use, and twice", (store) => store.close()],
];

function callsOf(store: Store, key: SessionKey): Record<string, () => Promise<unknown>> {
  const { messages, sessions, notifications } = store;
  return {
    ...memoryCallsOf(store.memories, key.userId),
    ...documentCallsOf(store.documents, key.userId),
    ...blobCallsOf(store.blobs, key.userId),
    ...(notifications && {
      publish: () => notifications.publish(key, 1),
      subscribe: () => notifications.subscribe(key, () => undefined),
    }),
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
    "release a lease": () => sessions.lease(key, "one", 0),
    list: () => sessions.list(key.userId),
    purge: () => sessions.purge(key),
  };
}

function memoryCallsOf(store: MemoryStore, space: string): Record<string, () => Promise<unknown>> {
  return {
    "head of a space": () => store.head(space),
    "commit to a space": () => store.commit(space, { revision: 0 }),
    ...Object.fromEntries(COLLECTIONS.map((name) => [`get ${name}`, () => store.get(space, name, ["m"])])),
    ...Object.fromEntries(LISTED.map((name) => [`list ${name}`, () => store.list(space, name)])),
    "list matching memories": () => store.list(space, "memories", { matchAny: { fingerprints: [""] } }),
    "list entries without a vector": () => store.list(space, "entries", { withoutVectorOf: "words" }),
    "record uses": () => store.record(space, { uses: { ids: ["m"], use: "cited", at: 1 } }),
    "record judgements": () => store.record(space, { judgements: [{ key: "k", memoryIds: [], contradicts: true }] }),
    erase: () => store.erase(space, { memories: ["m"], turns: [] }),
    "lease work": () => store.lease(space, "work", "one", 1000),
    "release work": () => store.lease(space, "work", "one", 0),
    projects: () => store.list(space, "projects"),
    spaces: () => store.spaces(),
  };
}

function documentCallsOf(store: DocumentStore, space: string): Record<string, () => Promise<unknown>> {
  return {
    "get of a document": () => store.get(space, "d"),
    "put of a document": () => store.put(space, "d", { revision: 0, value: 1 }),
    "names of documents": () => store.list(space),
    "erase of a document": () => store.delete(space, "d"),
    "erase of documents": () => store.delete(space, { prefix: "d" }),
  };
}

function blobCallsOf(store: BlobStore, space: string): Record<string, () => Promise<unknown>> {
  return {
    "get blobs": () => store.get(space, ["b"]),
    "list blobs": () => store.list(space),
    "put blobs": () => store.put(space, { epoch: 0, blobs: [] }),
    "delete a blob": () => store.delete(space, "b"),
    "delete blobs": () => store.delete(space, { prefix: "b" }),
  };
}

/** Checks of `notifications`. Stores without this optional part skip them. */
export const NOTIFICATION_FACTS: readonly StoreFact[] = [
  [
    "notifications of a session reach its subscribers only",
    async ({ notifications }, key) => {
      if (notifications === undefined) return;
      const others = [
        { ...key, userId: `${key.userId}2` },
        { ...key, sessionId: `${key.sessionId}2` },
      ];
      const received: unknown[][] = [[], [], []];
      const stops = await Promise.all([
        ...[0, 1].map((i) => notifications.subscribe(key, (item) => received[i]?.push(item))),
        ...others.map((other) => notifications.subscribe(other, (item) => received[2]?.push(item))),
      ]);
      const items = [{ type: "appended", text: HARD_TEXT }, "text", [1, null], { last: true }];
      for (const item of items) await notifications.publish(key, item);
      await eventually(
        () => received[0]?.length === items.length && received[1]?.length === items.length,
        "all subscribers received the notifications",
      );
      for (const other of others) await notifications.publish(other, "other");
      await eventually(() => received[2]?.length === others.length, "subscribers of other sessions received theirs");
      assertSame(received, [items, items, ["other", "other"]], "the received notifications");
      for (const stop of stops) await stop();
    },
  ],
  [
    "an unsubscribed listener receives no more notifications",
    async ({ notifications }, key) => {
      if (notifications === undefined) return;
      const received: Record<"stays" | "stops", unknown[]> = { stays: [], stops: [] };
      const stays = await notifications.subscribe(key, (item) => received.stays.push(item));
      const stops = await notifications.subscribe(key, (item) => received.stops.push(item));
      await notifications.publish(key, 1);
      await eventually(() => received.stays.length === 1 && received.stops.length === 1, "both receive the first item");
      await stops();
      await notifications.publish(key, 2);
      await eventually(() => received.stays.length === 2, "one receives the second item");
      assertSame(received, { stays: [1, 2], stops: [1] }, "the received notifications");
      await stays();
    },
  ],
];
