import type { Migration } from "./migration.ts";

/** Conversations and their messages. */
export const conversations: Migration = {
  version: 1,
  stores: {
    conversations: "[owner+id]",
    messages: "[owner+sessionId+position], &[owner+sessionId+id], &*partKeys",
  },
};
