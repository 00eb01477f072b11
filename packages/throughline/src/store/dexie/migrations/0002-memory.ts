import type { Migration } from "./migration.ts";

/** Memories, by what a chat asks for. */
export const memory: Migration = {
  version: 2,
  stores: { memory: "[space+id], id, category, lastSeen, confidence, lastSeenConversationId" },
};
