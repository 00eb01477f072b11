import type { DexieStore } from "../../../src/store/dexie/dexie.ts";
import {
  change,
  compaction,
  contradiction,
  entry,
  fullMemory,
  fullTurn,
  journalEntry,
  receipt,
  said,
  storedMemory,
} from "../../../src/test/samples.ts";
import type { PageApi } from "../page-api.ts";
import { key, space, storeOn } from "./stores.ts";

const others = { userId: key.userId, sessionId: "other" };

export const words: Pick<PageApi, "writeWord" | "purgeWord"> = {
  writeWord: async (database, word, other) => {
    const store = storeOn(database);
    await fillSession(store, key, word);
    await fillSession(store, others, other);
    await fillSpace(store, word, other);
    await store.blobs.put(space, { epoch: 0, blobs: [{ name: "segment", bytes: new TextEncoder().encode(word) }] });
    await store.documents.put(space, `gone ${word}`, { revision: 0, value: [word] });
    await store.documents.put(space, `kept ${other}`, { revision: 0, value: [other] });
  },
  purgeWord: async (database) => {
    const store = storeOn(database);
    await store.sessions.purge(key);
    await store.memories.erase(space, { memories: ["gone"], turns: ["gone turn"] });
    await store.documents.delete(space, { prefix: "gone" });
  },
};

async function fillSession({ messages, sessions }: DexieStore, one: typeof key, word: string): Promise<void> {
  await messages.append(one, 0, [said(one, `${word} id`, word)]);
  await sessions.commit(one, {
    revision: 0,
    state: { word },
    compactions: [{ ...compaction(`${word} c`, 1), summary: word }],
    receipts: [receipt(`${word} r`, word)],
    marks: new Map([[`${word} id.0`, 1]]),
  });
  await sessions.lease(one, word, 60_000);
}

async function fillSpace({ memories }: DexieStore, word: string, other: string): Promise<void> {
  const bytes = [...new TextEncoder().encode(word)];
  const gone = { ...fullMemory("gone", word), id: "gone" };
  await memories.commit(space, {
    revision: 0,
    memories: [
      { memory: gone, slot: word, fingerprint: word },
      storedMemory("kept", { links: ["gone"], subject: other }),
    ],
    turns: [fullTurn("gone turn", word), fullTurn("kept turn", other)],
    entries: [entry("gone", "words", bytes), entry("gone turn", "words", bytes)],
    contradictions: [contradiction("c", "gone", "kept", { reason: word })],
    journal: [journalEntry("j1", [change("gone", gone)]), journalEntry("j2", [change("kept"), change("gone", gone)])],
  });
  await memories.record(space, {
    judgements: [{ key: `${word} ${other}`, memoryIds: ["gone", "kept"], contradicts: true }],
  });
}
