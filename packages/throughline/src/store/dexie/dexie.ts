/**
 * A store in the browser, on IndexedDB. Needs the peer dependency `dexie`.
 *
 * @module
 * @example
 * const tl = await createThroughline({ store: dexieStore() });
 */

import { CLOCK, checkOptions, type OptionRules, TEXT } from "../../errors/check-options.ts";
import type { Clock } from "../../ports/clock.ts";
import { SYSTEM_CLOCK } from "../../ports/clock.ts";
import { frozenCopy } from "../frozen-copy.ts";
import { Database } from "./database.ts";
import type { ConversationList, DexieStore } from "./dexie-store.ts";
import { dexieMemoryStore } from "./memory-store.ts";
import { dexieBlobs, dexieDocuments } from "./named-rows.ts";
import { dexieMessageLog, dexieSessionStore } from "./session-store.ts";
import { beginningWith } from "./tables.ts";
import { Tabs } from "./tabs.ts";

export type { Conversation, ConversationList, DexieStore } from "./dexie-store.ts";

export interface DexieStoreOptions {
  /** Database name in the browser. Stores with the same name share their data in all tabs. Default: `throughline`. */
  readonly name?: string;
  /** Source of the current time. Default: the system clock. */
  readonly clock?: Clock;
}

const STORE_RULES: OptionRules<DexieStoreOptions> = { name: TEXT, clock: CLOCK };

/**
 * Stores sessions, memories and conversations in the browser's IndexedDB. Opened on first use. If the browser does not
 * allow storage or has no space left, calls reject with a StoreError.
 *
 * @param options Database name and clock.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const tl = await createThroughline({ store: dexieStore() });
 */
export function dexieStore(options: DexieStoreOptions = {}): DexieStore {
  checkOptions("dexieStore", options, STORE_RULES);
  const { name = "throughline", clock = SYSTEM_CLOCK } = options;
  const tabs = new Tabs(name);
  const database = new Database(name, clock, tabs);
  return {
    messages: dexieMessageLog(database),
    sessions: dexieSessionStore(database),
    memories: dexieMemoryStore(database),
    documents: dexieDocuments(database),
    blobs: dexieBlobs(database),
    conversations: dexieConversations(database),
    notifications: tabs,
    onOtherTab: (listener) => tabs.onOtherTab(listener),
    close: () => database.close(),
  };
}

function dexieConversations(database: Database): ConversationList {
  return {
    list: (owner) =>
      database.read(["conversations"], async ({ conversations }) => {
        const rows = await beginningWith(conversations, "[owner+id]", [owner]).toArray();
        return rows
          .map(({ conversation }) => conversation)
          .sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
      }),
    get: (owner, id) =>
      database.read(
        ["conversations"],
        async ({ conversations }) => (await conversations.get([owner, id]))?.conversation,
      ),
    put: async (owner, conversation) => {
      const row = { owner, id: conversation.id, conversation: frozenCopy(conversation) };
      await database.write(["conversations"], async ({ conversations }) => conversations.put(row));
    },
    remove: (owner, id) =>
      database.write(["conversations"], async ({ conversations }) => conversations.delete([owner, id])),
  };
}
