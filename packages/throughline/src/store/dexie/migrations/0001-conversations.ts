import type { Migration } from "./migration.ts";

/** Conversations and what was said in them. */
export const conversations: Migration = {
  version: 1,
  stores: {
    conversations: "[owner+id]",
    messages: "[owner+sessionId+position], &[owner+sessionId+id], &*partKeys",
  },
};
