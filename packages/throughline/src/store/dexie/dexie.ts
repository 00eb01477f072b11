import type { Clock } from "../../ports/clock.ts";
import { dexieBlobs } from "./blobs.ts";
import { dexieConversations } from "./conversations.ts";
import { Database } from "./database.ts";
import type { DexieStore } from "./dexie-store.ts";
import { dexieDocuments } from "./documents.ts";
import { dexieMemoryStore } from "./memories/memory-store.ts";
import { dexieMessageLog } from "./message-log.ts";
import { dexieSessionStore } from "./session-store.ts";
import { Tabs } from "./tabs.ts";

export type { Conversation, ConversationList, DexieStore } from "./dexie-store.ts";

export interface DexieStoreOptions {
  /** The database's name in the browser: stores of one name share their data, in all tabs. */
  readonly name?: string;
  readonly clock?: Clock;
}

/**
 * Keeps sessions, memories and conversations in the browser, in IndexedDB. It is opened with the first call; where the
 * browser does not let the page store data, or has no room left, calls reject with a StoreError that says so.
 *
 * @example
 * const store = dexieStore();
 * const tl = await createThroughline({ store });
 */
export function dexieStore(options: DexieStoreOptions = {}): DexieStore {
  const { name = "throughline", clock = { now: () => Date.now() } } = options;
  const tabs = new Tabs(name);
  const database = new Database(name, clock, tabs);
  return {
    messages: dexieMessageLog(database),
    sessions: dexieSessionStore(database),
    memories: dexieMemoryStore(database),
    documents: dexieDocuments(database),
    blobs: dexieBlobs(database),
    conversations: dexieConversations(database),
    news: tabs,
    onOtherTab: (listener) => tabs.onOtherTab(listener),
    close: () => database.close(),
  };
}
