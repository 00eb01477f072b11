import type { Migration } from "./migrations.ts";

/** Memories, indexed for a chat. */
export const memory: Migration = {
  version: 2,
  stores: { memory: "[space+id], id, category, lastSeen, confidence, lastSeenConversationId" },
};
