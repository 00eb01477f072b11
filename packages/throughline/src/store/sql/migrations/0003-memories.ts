import { createTable, DIALECTS, type DialectName } from "../sql-driver.ts";
import type { Migration } from "./migrations.ts";

/** Memories, their source turns, the search data of both, and the journal of changes. */
export const memories: Migration = {
  number: 3,
  name: "memories",
  statements: (dialect) => [
    ...spaceTables(dialect),
    ...memoryTables(dialect),
    ...turnTables(dialect),
    ...journalTables(dialect),
    ...contradictionTables(dialect),
  ],
};

interface SpaceTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly primaryKey: string;
  /** Its rows belong to rows of another table. */
  readonly references?: string;
  readonly isSmall?: boolean;
}

function createSpaceTable(dialect: DialectName, { columns, primaryKey, references, ...table }: SpaceTable): string[] {
  const keys = [`PRIMARY KEY (${primaryKey})`];
  // PostgreSQL would look up each row with a plan made for the empty table.
  if (references !== undefined && dialect === "sqlite") keys.push(`FOREIGN KEY ${references}`);
  const space = `space ${DIALECTS[dialect].key} NOT NULL`;
  return createTable(dialect, { ...table, columns: [space, ...columns, ...keys], partitionedBy: "space" });
}

function spaceTables(dialect: DialectName): string[] {
  const { key, integer, real } = DIALECTS[dialect];
  return [
    ...createSpaceTable(dialect, {
      name: "memory_spaces",
      columns: [`revision ${integer} NOT NULL`, `epoch ${integer} NOT NULL`],
      primaryKey: "space",
      isSmall: true,
    }),
    ...createSpaceTable(dialect, {
      name: "memory_leases",
      columns: [`work ${key} NOT NULL`, "holder TEXT NOT NULL", `leased_until ${real} NOT NULL`],
      primaryKey: "space, work",
      isSmall: true,
    }),
  ];
}

function memoryTables(dialect: DialectName): string[] {
  const { key, integer, real, bytes } = DIALECTS[dialect];
  const levels = ["full", "summary", "compressed", "index"].map((level) => `content_${level} TEXT NOT NULL`);
  const counts = ["retrieval_count", "citation_count", "ignore_count"].map((count) => `${count} ${real} NOT NULL`);
  return [
    ...createSpaceTable(dialect, {
      name: "memories",
      columns: [
        `id ${key} NOT NULL`,
        "type TEXT NOT NULL",
        ...levels,
        "key TEXT",
        "value TEXT",
        "subject TEXT",
        "category TEXT",
        `confidence ${real} NOT NULL`,
        `mentions ${real} NOT NULL`,
        `pinned ${integer} NOT NULL`,
        `by_hand ${integer} NOT NULL`,
        "user_id TEXT NOT NULL",
        "project_id TEXT",
        "scope TEXT NOT NULL",
        `created_at ${real} NOT NULL`,
        `last_seen_at ${real} NOT NULL`,
        `valid_from ${real} NOT NULL`,
        `valid_to ${real}`,
        `archived_at ${real}`,
        `supersedes ${key}`,
        `superseded_by ${key}`,
        ...counts,
        `last_accessed ${real}`,
        `session_id ${key}`,
        // Lookup keys; long texts are shortened.
        `slot ${key}`,
        `fingerprint ${key} NOT NULL`,
        "links TEXT",
        `artifact_count ${integer} NOT NULL`,
        "rest TEXT",
        `rest_packed ${bytes}`,
      ],
      primaryKey: "space, id",
    }),
    ...createSpaceTable(dialect, {
      name: "episode_artifacts",
      columns: [
        `episode_id ${key} NOT NULL`,
        `position ${integer} NOT NULL`,
        "artifact_type TEXT NOT NULL",
        "artifact_ref TEXT NOT NULL",
      ],
      primaryKey: "space, episode_id, position",
      references: "(space, episode_id) REFERENCES memories (space, id)",
      isSmall: true,
    }),
    // Values that many spaces share are not the first column: PostgreSQL would search by them alone.
    "CREATE INDEX memories_by_slot ON memories (slot, space, id)",
    "CREATE INDEX memories_by_fingerprint ON memories (fingerprint, space)",
    "CREATE INDEX memories_by_session ON memories (session_id, space, id)",
    "CREATE INDEX memories_of_chat ON memories (space, id) WHERE category IS NOT NULL",
    // Finds the references to an erased memory in other rows.
    "CREATE INDEX memories_linked ON memories (space, id) WHERE links IS NOT NULL",
    "CREATE INDEX memories_supersedes ON memories (supersedes, space) WHERE supersedes IS NOT NULL",
    "CREATE INDEX memories_superseded_by ON memories (superseded_by, space) WHERE superseded_by IS NOT NULL",
  ];
}

function turnTables(dialect: DialectName): string[] {
  const { key, integer, real, bytes } = DIALECTS[dialect];
  return [
    ...createSpaceTable(dialect, {
      name: "turns",
      columns: [
        `id ${key} NOT NULL`,
        `session_id ${key} NOT NULL`,
        `position ${real} NOT NULL`,
        "message_id TEXT",
        "role TEXT NOT NULL",
        "speaker TEXT",
        "text TEXT NOT NULL",
        `at ${real}`,
        `created_at ${real} NOT NULL`,
        "user_id TEXT NOT NULL",
        "project_id TEXT",
        `stale_since ${real}`,
        "rest TEXT",
        `rest_packed ${bytes}`,
      ],
      primaryKey: "space, id",
    }),
    "CREATE INDEX turns_by_session ON turns (session_id, space, position, id)",
    // Of memories and of turns.
    ...createSpaceTable(dialect, {
      name: "search_entries",
      columns: [
        `id ${key} NOT NULL`,
        `revision ${integer} NOT NULL`,
        `entry ${bytes} NOT NULL`,
        "embedder TEXT",
        `vector ${bytes}`,
      ],
      primaryKey: "space, id",
    }),
    "CREATE INDEX search_entries_by_revision ON search_entries (space, revision, id)",
    "CREATE INDEX search_entries_by_embedder ON search_entries (space, id, embedder)",
  ];
}

function journalTables(dialect: DialectName): string[] {
  const { key, integer, real, bytes } = DIALECTS[dialect];
  return [
    ...createSpaceTable(dialect, {
      name: "memory_journal",
      columns: [
        // The commit that wrote it, and its position in that commit.
        `revision ${integer} NOT NULL`,
        `position ${integer} NOT NULL`,
        `id ${key} NOT NULL`,
        `at ${real} NOT NULL`,
        "action TEXT NOT NULL",
        "undoes TEXT",
        "rest TEXT",
        `rest_packed ${bytes}`,
      ],
      primaryKey: "space, revision, position",
    }),
    "CREATE UNIQUE INDEX memory_journal_by_id ON memory_journal (space, id)",
    ...createSpaceTable(dialect, {
      name: "journal_changes",
      columns: [
        `entry_id ${key} NOT NULL`,
        `position ${integer} NOT NULL`,
        "kind TEXT NOT NULL",
        `id ${key} NOT NULL`,
        "before TEXT",
        `before_packed ${bytes}`,
        "after TEXT NOT NULL",
        // True if `before` names other memories.
        `names_others ${integer} NOT NULL`,
      ],
      primaryKey: "space, entry_id, position",
      references: "(space, entry_id) REFERENCES memory_journal (space, id)",
    }),
    "CREATE INDEX journal_changes_by_id ON journal_changes (id, space)",
    "CREATE INDEX journal_changes_of_others ON journal_changes (space, entry_id, position) WHERE names_others = 1",
  ];
}

function contradictionTables(dialect: DialectName): string[] {
  const { key, integer, real, bytes } = DIALECTS[dialect];
  return [
    ...createSpaceTable(dialect, {
      name: "contradictions",
      columns: [
        `id ${key} NOT NULL`,
        `memory_a ${key} NOT NULL`,
        `memory_b ${key} NOT NULL`,
        `detected_at ${real} NOT NULL`,
        "reason TEXT NOT NULL",
        "status TEXT NOT NULL",
        `resolved_at ${real}`,
        "resolution TEXT",
        "resolution_note TEXT",
        "rest TEXT",
        `rest_packed ${bytes}`,
      ],
      primaryKey: "space, id",
    }),
    "CREATE INDEX contradictions_by_a ON contradictions (memory_a, space)",
    "CREATE INDEX contradictions_by_b ON contradictions (memory_b, space)",
    "CREATE INDEX contradictions_by_status ON contradictions (space, status)",
    ...createSpaceTable(dialect, {
      name: "judgements",
      columns: [`key ${key} NOT NULL`, `contradicts ${integer} NOT NULL`],
      primaryKey: "space, key",
      isSmall: true,
    }),
    ...createSpaceTable(dialect, {
      name: "judgement_memories",
      columns: [`key ${key} NOT NULL`, `memory_id ${key} NOT NULL`],
      primaryKey: "space, key, memory_id",
      references: "(space, key) REFERENCES judgements (space, key)",
      isSmall: true,
    }),
    "CREATE INDEX judgement_memories_by_memory ON judgement_memories (memory_id, space)",
  ];
}
