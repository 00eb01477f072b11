import type {
  MemoryCollections,
  MemoryFilters,
  MemoryStore,
  SpaceHead,
  SpaceItems,
  SpaceLookup,
} from "../../../ports/memory-store.ts";
import { type Lookup, lookUp, lookUpAll } from "../look-up.ts";
import { numberOf, storedTextOf } from "../read-row.ts";
import type { SqlTransaction, StoreDatabase } from "../sql-driver.ts";
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

const GETTERS: Getters = {
  memories: ({ database, space }, ids) => lookUp(database, memoriesById(space, ids)),
  turns: ({ database, space }, ids) => lookUp(database, turnsById(space, ids)),
  entries: ({ database, space }, ids) => lookUp(database, entriesById(space, ids)),
  contradictions: ({ database, space }, ids) => database.read((tx) => contradictionsById(tx, space, ids)),
  journal: ({ database, space }, ids) => database.read((tx) => journalById(tx, space, ids)),
  judgements: ({ database, space }, keys) => database.read((tx) => judgementsByKey(tx, space, keys)),
};

type Listers = {
  readonly [C in keyof MemoryFilters]: (
    place: Place,
    filter: MemoryFilters[C] | undefined,
  ) => Promise<MemoryCollections[C][]>;
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
