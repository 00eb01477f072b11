import { createHash } from "node:crypto";
import { omitUndefined, otherFields } from "../../../internal/json.ts";
import { mapYielding, yieldToEventLoop } from "../../../internal/yield-to-event-loop.ts";
import type { Artifact, Memory, MemoryLevels, MemoryUsage } from "../../../ports/memory.ts";
import type { MemoryFilter, StoredMemory } from "../../../ports/memory-store.ts";
import { isSelected, memoryOrder } from "../../memory-rules.ts";
import { lookupValue, openRows } from "../encryption/sealed-rows.ts";
import {
  numberOf,
  optionalNumberOf,
  optionalTextOf,
  pack,
  readJson,
  storedTextOf,
  textOf,
  toOptionalText,
  toStoredText,
  unpack,
  writeJson,
} from "../row-values.ts";
import { type DialectName, type SqlRow, type SqlValue, type StoreTransaction, searchedBy } from "../sql-driver.ts";
import { type Lookup, limited, selectIn, selectsIn, type Table } from "../statements.ts";

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
const MEMORY_COLUMNS = READ_COLUMNS.join(", ");

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
function readMemoryRow(row: SqlRow, artifacts: readonly SqlRow[]): Memory {
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

const IS_CURRENT = "valid_to IS NULL AND archived_at IS NULL";
const LAST_SEEN_FIRST = "last_seen_at DESC, id DESC";

/** Memories by id, in the order of `ids`. */
export function memoriesById(space: string, ids: readonly string[]): Lookup<Memory[]> {
  const text = (list: string) => `SELECT ${MEMORY_COLUMNS} FROM memories WHERE space = ? AND id IN (${list})`;
  const stored = [...new Set(ids)].map(toStoredText);
  const selects = selectsIn(text, [space], stored);
  return {
    statements: [...selects, ...selectsIn(selectArtifacts, [space], stored)],
    async read(rows, opened) {
      const memories = rows.slice(0, selects.length).flat();
      const found = await join(opened, space, memories, rows.slice(selects.length).flat());
      const byId = new Map(found.map((memory) => [memory.id, memory]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
  };
}

/** In the order of the filter. */
export async function listMemories(
  tx: StoreTransaction,
  dialect: DialectName,
  space: string,
  filter: MemoryFilter,
): Promise<Memory[]> {
  if (filter.matchAny !== undefined) return matchingMemories(tx, dialect, space, filter);
  const { current = false, categorized = false, sessionId, after, lastSeenFirst = false, limit } = filter;
  const conditions: [text: string, ...params: SqlValue[]][] = [["space = ?", space]];
  if (sessionId !== undefined) conditions.push(["session_id = ?", toStoredText(sessionId)]);
  if (categorized) conditions.push(["category IS NOT NULL"]);
  if (current) conditions.push([IS_CURRENT]);
  if (after !== undefined) conditions.push(["id > ?", toStoredText(after)]);
  const source = searchedBy(MEMORIES.name, indexFor(filter), dialect);
  const where = conditions.map(([text]) => text).join(" AND ");
  const params = conditions.flatMap(([, ...values]) => values);
  const select = `SELECT ${MEMORY_COLUMNS} FROM ${source} WHERE ${where} ORDER BY ${lastSeenFirst ? LAST_SEEN_FIRST : "id"}`;
  return assemble(tx, space, await tx.all(...limited(select, params, limit)));
}

/** The most selective index for a query, in the order of the query if there is one. */
function indexFor({ categorized, current, sessionId, lastSeenFirst }: MemoryFilter): string {
  if (sessionId !== undefined) return "memories_by_session";
  if (categorized && current) return "memories_of_chat";
  if (current && lastSeenFirst) return "memories_by_last_seen";
  // SQLite's name for the index of the primary key.
  return "sqlite_autoindex_memories_1";
}

/** Lookups in one statement. */
const MAX_LOOKUPS = 16;

/** Memories that have one of the slots or fingerprints of `matchAny` and meet the other conditions. */
async function matchingMemories(
  tx: StoreTransaction,
  dialect: DialectName,
  space: string,
  filter: MemoryFilter,
): Promise<Memory[]> {
  const { slots = [], fingerprints = [] } = filter.matchAny ?? {};
  const lookups = (column: string, texts: readonly string[]) =>
    [...new Set(texts)].map((text) => ({ column, key: lookupValue(tx, column, space, lookupKey(text)) }));
  const all = [...lookups("fingerprint", fingerprints), ...lookups("slot", slots)];
  // One by one: without statistics, PostgreSQL would read the whole space for a list.
  const select = (column: string) => {
    const source = searchedBy(MEMORIES.name, `memories_by_${column}`, dialect);
    // Not as two conditions: without statistics, PostgreSQL would choose the index of all current memories for them.
    const state = filter.current === true ? "AND coalesce(valid_to, archived_at) IS NULL" : "";
    return `SELECT ${MEMORY_COLUMNS} FROM ${source} WHERE ${column} = ? AND space = ? ${state}`;
  };
  const rows = new Map<SqlValue | undefined, SqlRow>();
  for (let start = 0; start < all.length; start += MAX_LOOKUPS) {
    const some = all.slice(start, start + MAX_LOOKUPS);
    const text = some.map(({ column }) => select(column)).join(" UNION ALL ");
    const params = some.flatMap(({ key }) => [key, space]);
    for (const row of await tx.all(text, params)) rows.set(row.id, row);
  }
  const memories = (await assemble(tx, space, [...rows.values()])).filter((memory) => isSelected(memory, filter));
  return memories.sort(memoryOrder(filter)).slice(0, Math.max(0, filter.limit ?? memories.length));
}

async function assemble(tx: StoreTransaction, space: string, rows: readonly SqlRow[]): Promise<Memory[]> {
  const withArtifacts = rows.filter((row) => row.artifact_count !== 0).map(({ id = null }) => id);
  return join(tx, space, rows, await selectIn(tx, selectArtifacts, [space], withArtifacts));
}

function selectArtifacts(list: string): string {
  return `SELECT episode_id, position, artifact_type, artifact_ref FROM episode_artifacts
    WHERE space = ? AND episode_id IN (${list}) ORDER BY episode_id, position`;
}

/** Memories from their rows and those of their artifacts. */
async function join(
  opened: Pick<StoreTransaction, "cipher">,
  space: string,
  rows: readonly SqlRow[],
  artifactRows: readonly SqlRow[],
): Promise<Memory[]> {
  const artifacts = Map.groupBy(openRows(opened, ARTIFACTS, artifactRows, { space }), (row) => row.episode_id);
  await yieldToEventLoop();
  const memories = openRows(opened, MEMORIES, rows, { space });
  return mapYielding(memories, (row) => readMemoryRow(row, artifacts.get(row.id) ?? []));
}
