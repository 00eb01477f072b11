import type { Migration } from "./migrations.ts";

/** Conversations and their messages. */
export const conversations: Migration = {
  version: 1,
  stores: {
    conversations: "[owner+id]",
    messages: "[owner+sessionId+position], &[owner+sessionId+id], &*partKeys",
  },
};
