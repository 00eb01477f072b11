import { omitUndefined } from "../../../internal/json.ts";
import type {
  MemoryCollections,
  MemoryFilters,
  MemoryRecord,
  MemoryStore,
  ProjectContents,
  SpaceHead,
  SpaceItems,
  SpaceLookup,
} from "../../../ports/memory-store.ts";
import { countsOf } from "../../../ports/memory-store.ts";
import { sortContents } from "../../memory-rules.ts";
import { numberOf, optionalNumberOf, optionalTextOf, storedTextOf, toStoredText } from "../row-values.ts";
import { latestLeaseEnd, leaseEnd } from "../sessions/session-rows.ts";
import type { SqlDriver, SqlTransaction, StoreDatabase, StoreTransaction } from "../sql-driver.ts";
import { forLists, type Lookup, limited, lookUp, lookUpAll } from "../statements.ts";
import { commitMemories } from "./commit-memories.ts";
import { eraseMemories } from "./erase-memories.ts";
import {
  contradictionsById,
  journalById,
  judgementsByKey,
  listContradictions,
  listJournal,
  putJudgement,
} from "./journal-rows.ts";
import { listMemories, memoriesById, USAGE_COLUMNS } from "./memory-rows.ts";
import { entriesById, listEntries, listTurns, turnsById } from "./turn-rows.ts";

const MEMORIES = `SELECT project_id, COUNT(*) AS memories, MAX(last_seen_at) AS seen_at, MAX(last_accessed) AS used_at,
  COUNT(CASE WHEN valid_to IS NULL AND archived_at IS NULL THEN 1 END) AS current_count
  FROM memories WHERE space = ? GROUP BY project_id`;
const TURNS = `SELECT project_id, COUNT(DISTINCT session_id) AS sessions, MAX(COALESCE(at, created_at)) AS said_at
  FROM turns WHERE space = ? GROUP BY project_id`;

/** Counts memories and sessions of a space by project. */
async function countProjects({
  tx,
  space,
}: {
  readonly tx: StoreTransaction;
  readonly space: string;
}): Promise<ProjectContents[]> {
  const found = new Map<string | undefined, ProjectContents>();
  for (const row of await tx.all(MEMORIES, [space])) {
    const projectId = optionalTextOf(row, "project_id");
    const lastUsedAt = Math.max(numberOf(row, "seen_at"), optionalNumberOf(row, "used_at") ?? Number.NEGATIVE_INFINITY);
    const counts = { memories: numberOf(row, "memories"), current: numberOf(row, "current_count") };
    found.set(projectId, omitUndefined({ projectId, ...counts, sessions: 0, lastUsedAt }));
  }
  for (const row of await tx.all(TURNS, [space])) {
    const projectId = optionalTextOf(row, "project_id");
    const saidAt = numberOf(row, "said_at");
    const known = found.get(projectId) ?? omitUndefined({ projectId, memories: 0, current: 0, lastUsedAt: saidAt });
    const sessions = numberOf(row, "sessions");
    found.set(projectId, { ...known, sessions, lastUsedAt: Math.max(known.lastUsedAt, saidAt) });
  }
  return sortContents([...found.values()]);
}

const GETTERS: Getters = {
  memories: ({ database, space }, ids) => lookUp(database, memoriesById(space, ids)),
  turns: ({ database, space }, ids) => lookUp(database, turnsById(space, ids)),
  entries: ({ database, space }, ids) => lookUp(database, entriesById(space, ids)),
  contradictions: ({ database, space }, ids) => database.read((tx) => contradictionsById(tx, space, ids)),
  journal: ({ database, space }, ids) => database.read((tx) => journalById(tx, space, ids)),
  judgements: ({ database, space }, keys) => database.read((tx) => judgementsByKey(tx, space, keys)),
};
const LISTERS: Listers = {
  memories: ({ database, space }, filter = {}) =>
    database.read((tx) => listMemories(tx, database.dialect, space, filter)),
  turns: ({ database, space }, filter = {}) => database.read((tx) => listTurns(tx, space, filter)),
  entries: ({ database, space }, filter = {}) => lookUp(database, listEntries(database.dialect, space, filter)),
  contradictions: ({ database, space }, filter = {}) => database.read((tx) => listContradictions(tx, space, filter)),
  journal: ({ database, space }, filter = {}) => database.read((tx) => listJournal(tx, space, filter)),
  projects: ({ database, space }) => database.read((tx) => countProjects({ tx, space })),
};

/** Memories in a database. */
export function sqlMemoryStore(database: StoreDatabase): MemoryStore {
  return {
    head: (name) => lookUp(database, head(toStoredText(name))),
    get: (name, collection, ids) => GETTERS[collection]({ database, space: toStoredText(name) }, ids),
    list: (name, collection, filter) => LISTERS[collection]({ database, space: toStoredText(name) }, filter),
    lookUp: (lookups) => lookUpAll(database, lookups.map(itemsOf)),
    commit: (name, commit) => commitMemories(database, name, commit),
    record: (name, record) => recordUse(database, toStoredText(name), record),
    erase: (name, erasure) => eraseMemories(database, toStoredText(name), erasure),
    lease: (name, work, holder, milliseconds) =>
      milliseconds > 0
        ? acquireWork(database, toStoredText(name), { work, holder }, milliseconds)
        : releaseWork(database, toStoredText(name), { work, holder }),
    spaces: (page = {}) => database.read((tx) => spaces(tx, page)),
  };
}

interface Place {
  readonly database: StoreDatabase;
  readonly space: string;
}

type Getters = {
  readonly [C in Exclude<keyof MemoryCollections, "projects">]: (
    place: Place,
    ids: readonly string[],
  ) => Promise<MemoryCollections[C][]>;
};

type Listers = {
  readonly [C in keyof MemoryFilters]: (
    place: Place,
    filter: MemoryFilters[C] | undefined,
  ) => Promise<MemoryCollections[C][]>;
};

function head(space: string): Lookup<SpaceHead> {
  return {
    statements: [["SELECT revision, epoch FROM memory_spaces WHERE space = ?", [space]]],
    read([rows]) {
      const row = rows?.[0];
      return row ? { revision: numberOf(row, "revision"), epoch: numberOf(row, "epoch") } : { revision: 0, epoch: 0 };
    },
  };
}

/** One lookup from those of the head, the memories and the turns of a space. */
function itemsOf({ space: name, head: hasHead = false, memories = [], turns = [] }: SpaceLookup): Lookup<SpaceItems> {
  const space = toStoredText(name);
  const [counters, ofMemories, ofTurns] = [head(space), memoriesById(space, memories), turnsById(space, turns)];
  const first = hasHead ? counters.statements : [];
  const [afterHead, afterMemories] = [first.length, first.length + ofMemories.statements.length];
  return {
    statements: [...first, ...ofMemories.statements, ...ofTurns.statements],
    read: async (rows, opened) => ({
      head: hasHead ? await counters.read(rows.slice(0, afterHead), opened) : undefined,
      memories: await ofMemories.read(rows.slice(afterHead, afterMemories), opened),
      turns: await ofTurns.read(rows.slice(afterMemories), opened),
    }),
  };
}

async function spaces(
  tx: SqlTransaction,
  { after, limit }: NonNullable<Parameters<MemoryStore["spaces"]>[0]>,
): Promise<string[]> {
  const [behind, params] = after === undefined ? ["", []] : ["WHERE space > ?", [toStoredText(after)]];
  const rows = await tx.all(...limited(`SELECT space FROM memory_spaces ${behind} ORDER BY space`, params, limit));
  return rows.map((row) => storedTextOf(row, "space"));
}

/** The holder of a lease, and its subject. */
interface Claim {
  readonly work: string;
  readonly holder: string;
}

/** Takes or renews the lease, by the database's clock. */
function acquireWork(
  database: SqlDriver,
  space: string,
  { work, holder }: Claim,
  milliseconds: number,
): Promise<boolean> {
  return database.write(async (tx) => {
    const now = await database.now(tx);
    const until = leaseEnd(now, milliseconds);
    const taken = await tx.run(
      `INSERT INTO memory_leases (space, work, holder, leased_until) VALUES (?, ?, ?, ?)
       ON CONFLICT (space, work) DO UPDATE SET holder = excluded.holder, leased_until = excluded.leased_until
       WHERE memory_leases.holder = excluded.holder OR memory_leases.leased_until <= ? OR memory_leases.leased_until > ?`,
      [space, toStoredText(work), toStoredText(holder), until, now, latestLeaseEnd(now)],
    );
    return taken > 0;
  });
}

/** Releases the lease, if the holder has it. */
async function releaseWork(database: SqlDriver, space: string, { work, holder }: Claim): Promise<false> {
  const text = "DELETE FROM memory_leases WHERE space = ? AND work = ? AND holder = ?";
  await database.write((tx) => tx.run(text, [space, toStoredText(work), toStoredText(holder)]));
  return false;
}

/** Writes use counts and judgements in one transaction. */
async function recordUse(
  database: StoreDatabase,
  space: string,
  { uses, judgements = [] }: MemoryRecord,
): Promise<void> {
  if (uses === undefined && judgements.length === 0) return;
  await database.write(async (tx) => {
    if (uses !== undefined) await countUses(tx, space, uses);
    for (const judgement of judgements) await putJudgement(tx, space, judgement);
  });
}

async function countUses(
  tx: SqlTransaction,
  space: string,
  { ids, use, at }: NonNullable<MemoryRecord["uses"]>,
): Promise<void> {
  const column = USAGE_COLUMNS[use];
  const text = (list: string) =>
    `UPDATE memories SET ${column} = ${column} + ?, last_accessed = CASE WHEN last_accessed > ? THEN last_accessed ELSE ? END
     WHERE space = ? AND id IN (${list})`;
  // Sorted, and all in the first round, so that two writers that count the same memories wait for each other in the
  // same order.
  const counts = [...countsOf(ids)].sort(([a], [b]) => (a < b ? -1 : 1));
  let counted = 0;
  for (const times of [...new Set(counts.map(([, count]) => count))].sort((a, b) => a - b)) {
    const some = counts.filter(([, count]) => count >= times).map(([id]) => toStoredText(id));
    const more = times - counted;
    await forLists(some, (list, part) => tx.run(text(list), [more, at, at, space, ...part]));
    counted = times;
  }
}
