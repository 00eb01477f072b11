import { frozenCopy } from "../in-process/frozen-copy.ts";
import type { Database } from "./database.ts";
import type { ConversationList } from "./dexie-store.ts";
import { beginningWith } from "./key-range.ts";

export function dexieConversations(database: Database): ConversationList {
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
