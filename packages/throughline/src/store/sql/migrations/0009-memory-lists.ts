import type { Migration } from "./migrations.ts";

/** Lists memories by their last mention, and counts memories and sessions by project, without reading their texts. */
export const memoryLists: Migration = {
  number: 9,
  name: "memory lists",
  statements: () => [
    "CREATE INDEX memories_by_last_seen ON memories (space, last_seen_at, id) WHERE valid_to IS NULL AND archived_at IS NULL",
    "CREATE INDEX memories_by_project ON memories (space, project_id, valid_to, archived_at, last_seen_at, last_accessed)",
    "CREATE INDEX turns_by_project ON turns (space, project_id, session_id, at, created_at)",
  ],
};
