import type { MemoryCollections, MemoryFilters, MemoryStore, SpaceHead } from "../../../ports/memory-store.ts";
import type { DialectName } from "../dialect.ts";
import { numberOf, storedTextOf } from "../read-row.ts";
import type { SqlTransaction, StoreDatabase, StoreTransaction } from "../sql-driver.ts";
import { limited } from "../statements.ts";
import { toStoredText } from "../stored-text.ts";
import { commitMemories } from "./commit-memories.ts";
import { countProjects } from "./count-projects.ts";
import { eraseMemories } from "./erase-memories.ts";
import { judgementsByKey } from "./judgements.ts";
import { acquireWork, releaseWork } from "./memory-lease.ts";
import { contradictionsById, journalById, listContradictions, listJournal } from "./read-journal.ts";
import { listMemories, memoriesById } from "./read-memories.ts";
import { entriesById, listEntries, listTurns, turnsById } from "./read-turns.ts";
import { recordUse } from "./record-use.ts";

/** Memories in a database. */
export function sqlMemoryStore(database: StoreDatabase): MemoryStore {
  const { dialect } = database;
  const read = <T>(name: string, work: (place: Place) => Promise<T>) =>
    database.read((tx) => work({ tx, dialect, space: toStoredText(name) }));
  return {
    head: (name) => read(name, head),
    get: (name, collection, ids) => read(name, (place) => GETTERS[collection](place, ids)),
    list: (name, collection, filter) => read(name, (place) => LISTERS[collection](place, filter)),
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

/** A space within a transaction. */
interface Place {
  readonly tx: StoreTransaction;
  readonly dialect: DialectName;
  readonly space: string;
}

type Getters = {
  readonly [C in Exclude<keyof MemoryCollections, "projects">]: (
    place: Place,
    ids: readonly string[],
  ) => Promise<MemoryCollections[C][]>;
};

const GETTERS: Getters = {
  memories: ({ tx, space }, ids) => memoriesById(tx, space, ids),
  turns: ({ tx, space }, ids) => turnsById(tx, space, ids),
  entries: ({ tx, space }, ids) => entriesById(tx, space, ids),
  contradictions: ({ tx, space }, ids) => contradictionsById(tx, space, ids),
  journal: ({ tx, space }, ids) => journalById(tx, space, ids),
  judgements: ({ tx, space }, keys) => judgementsByKey(tx, space, keys),
};

type Listers = {
  readonly [C in keyof MemoryFilters]: (
    place: Place,
    filter: MemoryFilters[C] | undefined,
  ) => Promise<MemoryCollections[C][]>;
};

const LISTERS: Listers = {
  memories: ({ tx, dialect, space }, filter = {}) => listMemories(tx, dialect, space, filter),
  turns: ({ tx, space }, filter = {}) => listTurns(tx, space, filter),
  entries: ({ tx, dialect, space }, filter = {}) => listEntries(tx, dialect, space, filter),
  contradictions: ({ tx, space }, filter = {}) => listContradictions(tx, space, filter),
  journal: ({ tx, space }, filter = {}) => listJournal(tx, space, filter),
  projects: countProjects,
};

async function head({ tx, space }: Place): Promise<SpaceHead> {
  const [row] = await tx.all("SELECT revision, epoch FROM memory_spaces WHERE space = ?", [space]);
  return row ? { revision: numberOf(row, "revision"), epoch: numberOf(row, "epoch") } : { revision: 0, epoch: 0 };
}

async function spaces(
  tx: SqlTransaction,
  { after, limit }: NonNullable<Parameters<MemoryStore["spaces"]>[0]>,
): Promise<string[]> {
  const [behind, params] = after === undefined ? ["", []] : ["WHERE space > ?", [toStoredText(after)]];
  const rows = await tx.all(...limited(`SELECT space FROM memory_spaces ${behind} ORDER BY space`, params, limit));
  return rows.map((row) => storedTextOf(row, "space"));
}
