import { createHash } from "node:crypto";
import { omitUndefined, otherFields } from "../../../internal/json.ts";
import type { Artifact, Memory, MemoryLevels, MemoryUsage } from "../../../ports/memory.ts";
import type { StoredMemory } from "../../../ports/memory-store.ts";
import { pack, readJson, unpack, writeJson } from "../pack.ts";
import {
  numberOf,
  optionalNumberOf,
  optionalTextOf,
  storedTextOf,
  textOf,
  toOptionalText,
  toStoredText,
} from "../row-values.ts";
import type { SqlRow, SqlValue } from "../sql-driver.ts";
import type { Table } from "../statements.ts";

const LEVEL_COLUMNS = {
  full: "content_full",
  summary: "content_summary",
  compressed: "content_compressed",
  index: "content_index",
} as const satisfies Record<keyof MemoryLevels, string>;

export const USAGE_COLUMNS = {
  retrieved: "retrieval_count",
  cited: "citation_count",
  ignored: "ignore_count",
  lastAccessedAt: "last_accessed",
} as const satisfies Record<keyof MemoryUsage, string>;

/** Fields with their own columns or table. All others are in `rest`. */
const FIELDS = [
  ...["id", "kind", "levels", "key", "value", "subject", "category", "confidence", "mentions", "pinned", "byHand"],
  ...["owner", "projectId", "scope", "createdAt", "lastSeenAt", "validFrom", "validTo", "archivedAt"],
  ...["supersedes", "supersededBy", "usage", "artifacts", "links"],
];

/** Each column with its value. */
const CELLS: Readonly<Record<string, (memory: Memory) => SqlValue>> = {
  id: ({ id }) => toStoredText(id),
  type: ({ kind }) => kind,
  [LEVEL_COLUMNS.full]: ({ levels }) => toStoredText(levels.full),
  [LEVEL_COLUMNS.summary]: ({ levels }) => toStoredText(levels.summary),
  [LEVEL_COLUMNS.compressed]: ({ levels }) => toStoredText(levels.compressed),
  [LEVEL_COLUMNS.index]: ({ levels }) => toStoredText(levels.index),
  key: ({ key }) => toOptionalText(key),
  value: ({ value }) => toOptionalText(value),
  subject: ({ subject }) => toOptionalText(subject),
  category: ({ category }) => category ?? null,
  confidence: ({ confidence }) => confidence,
  mentions: ({ mentions }) => mentions,
  pinned: ({ pinned }) => Number(pinned),
  by_hand: ({ byHand }) => Number(byHand),
  user_id: ({ owner }) => toStoredText(owner),
  project_id: ({ projectId }) => toOptionalText(projectId),
  scope: ({ scope }) => scope,
  created_at: ({ createdAt }) => createdAt,
  last_seen_at: ({ lastSeenAt }) => lastSeenAt,
  valid_from: ({ validFrom }) => validFrom,
  valid_to: ({ validTo }) => validTo ?? null,
  archived_at: ({ archivedAt }) => archivedAt ?? null,
  supersedes: ({ supersedes }) => toOptionalText(supersedes),
  superseded_by: ({ supersededBy }) => toOptionalText(supersededBy),
  [USAGE_COLUMNS.retrieved]: ({ usage }) => usage.retrieved,
  [USAGE_COLUMNS.cited]: ({ usage }) => usage.cited,
  [USAGE_COLUMNS.ignored]: ({ usage }) => usage.ignored,
  [USAGE_COLUMNS.lastAccessedAt]: ({ usage }) => usage.lastAccessedAt ?? null,
  session_id: ({ source }) => toOptionalText(source.sessionId),
  links: ({ links }) => writeLinks(links),
  artifact_count: ({ artifacts }) => artifacts.length,
};

const READ_COLUMNS = [...Object.keys(CELLS), "rest", "rest_packed"];
export const MEMORY_COLUMNS = READ_COLUMNS.join(", ");

export const MEMORIES: Table = {
  name: "memories",
  columns: ["space", "slot", "fingerprint", ...READ_COLUMNS],
  replacedBy: ["space", "id"],
  // Uses are counted separately, and there may be new ones since the memory was read.
  keeps: Object.values(USAGE_COLUMNS),
  sealing: {
    key: ["space", "id"],
    // Includes the texts behind digests, so that the key of the digests can be changed.
    content: {
      columns: [
        ...Object.values(LEVEL_COLUMNS),
        "key",
        "value",
        "subject",
        "slot",
        "fingerprint",
        "rest",
        "rest_packed",
      ],
      into: "rest_packed",
    },
    digested: ["slot", "fingerprint"],
  },
};

export const ARTIFACTS: Table = {
  name: "episode_artifacts",
  columns: ["space", "episode_id", "position", "artifact_type", "artifact_ref"],
  sealing: {
    key: ["space", "episode_id", "position"],
    content: { columns: ["artifact_ref"], into: { text: "artifact_ref" } },
  },
};

export function memoryRow(space: string, { memory, slot, fingerprint }: StoredMemory): SqlValue[] {
  const { sessionId: _, ...source } = memory.source;
  const rest = { ...otherFields({ ...memory }, FIELDS), source };
  return [
    space,
    slot === undefined ? null : lookupKey(slot),
    lookupKey(fingerprint),
    ...Object.values(CELLS).map((cell) => cell(memory)),
    ...pack(rest),
  ];
}

export function artifactRows(space: string, { id, artifacts }: Memory): SqlValue[][] {
  return artifacts.map(({ type, ref }, position) => [space, toStoredText(id), position, type, toStoredText(ref)]);
}

export function writeLinks(links: readonly string[]): string | null {
  return links.length === 0 ? null : writeJson(links);
}

export function readLinks(row: SqlRow): string[] {
  return row.links === null ? [] : (readJson(textOf(row, "links")) as string[]);
}

/** A memory from its row and the rows of its artifacts, in order. */
export function readMemoryRow(row: SqlRow, artifacts: readonly SqlRow[]): Memory {
  const rest = unpack(row, "rest") as Pick<Memory, "aliases" | "source">;
  return omitUndefined({
    ...rest,
    id: storedTextOf(row, "id"),
    kind: textOf(row, "type") as Memory["kind"],
    levels: readLevels(row),
    key: optionalTextOf(row, "key"),
    value: optionalTextOf(row, "value"),
    subject: optionalTextOf(row, "subject"),
    category: optionalTextOf(row, "category") as Memory["category"],
    confidence: numberOf(row, "confidence"),
    mentions: numberOf(row, "mentions"),
    pinned: row.pinned === 1,
    byHand: row.by_hand === 1,
    owner: storedTextOf(row, "user_id"),
    projectId: optionalTextOf(row, "project_id"),
    scope: textOf(row, "scope") as Memory["scope"],
    createdAt: numberOf(row, "created_at"),
    lastSeenAt: numberOf(row, "last_seen_at"),
    validFrom: numberOf(row, "valid_from"),
    validTo: optionalNumberOf(row, "valid_to"),
    archivedAt: optionalNumberOf(row, "archived_at"),
    supersedes: optionalTextOf(row, "supersedes"),
    supersededBy: optionalTextOf(row, "superseded_by"),
    usage: omitUndefined({
      retrieved: numberOf(row, USAGE_COLUMNS.retrieved),
      cited: numberOf(row, USAGE_COLUMNS.cited),
      ignored: numberOf(row, USAGE_COLUMNS.ignored),
      lastAccessedAt: optionalNumberOf(row, USAGE_COLUMNS.lastAccessedAt),
    }),
    source: omitUndefined({ ...rest.source, sessionId: optionalTextOf(row, "session_id") }),
    artifacts: artifacts.map(readArtifactRow),
    links: readLinks(row),
  });
}

function readArtifactRow(row: SqlRow): Artifact {
  return { type: textOf(row, "artifact_type") as Artifact["type"], ref: storedTextOf(row, "artifact_ref") };
}

function readLevels(row: SqlRow): MemoryLevels {
  return {
    full: storedTextOf(row, LEVEL_COLUMNS.full),
    summary: storedTextOf(row, LEVEL_COLUMNS.summary),
    compressed: storedTextOf(row, LEVEL_COLUMNS.compressed),
    index: storedTextOf(row, LEVEL_COLUMNS.index),
  };
}

const MAX_KEY_CHARS = 200;

/**
 * Index key for a text that is only compared: PostgreSQL limits index entries to a third of a page. The key of a long
 * text ends in a digest of the whole text, which makes it longer than any other key.
 */
export function lookupKey(text: string): string {
  if (text.length <= MAX_KEY_CHARS) return toStoredText(text);
  const digest = createHash("sha256").update(toStoredText(text)).digest("base64url");
  return toStoredText(text.slice(0, MAX_KEY_CHARS) + digest);
}
