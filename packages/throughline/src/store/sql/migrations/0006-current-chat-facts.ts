import type { Migration } from "./migrations.ts";

/** Finds current chat facts without reading archived ones. */
export const currentChatFacts: Migration = {
  number: 6,
  name: "current chat facts",
  statements: () => [
    "DROP INDEX memories_of_chat",
    "CREATE INDEX memories_of_chat ON memories (space, id) WHERE category IS NOT NULL AND valid_to IS NULL AND archived_at IS NULL",
  ],
};
