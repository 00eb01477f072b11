import type { MemoryCollections, MemoryFilters, MemoryRecord, MemoryStore } from "../../../ports/memory-store.ts";
import { countByProject } from "../../project-contents.ts";
import type { Database } from "../database.ts";
import { atMost } from "../key-range.ts";
import { takeLease } from "../lease.ts";
import type { TableName, Tables } from "../tables.ts";
import { commitMemories, headOf } from "./commit-memories.ts";
import { eraseMemories } from "./erase-memories.ts";
import { mentionsOf } from "./memory-row.ts";
import { contradictionsById, journalById, listContradictions, listJournal } from "./read-journal.ts";
import { countUses, listMemories, memoriesById } from "./read-memories.ts";
import { entriesById, listEntries, listTurns, turnsById } from "./read-turns.ts";

/** Memories in the browser's database. */
export function dexieMemoryStore(database: Database): MemoryStore {
  const read = <T>(table: TableName, work: (tables: Tables) => Promise<T>) => database.read([table], work);
  return {
    head: (space) =>
      read("spaces", async (tables) => {
        const { revision, epoch } = await headOf(tables, space);
        return { revision, epoch };
      }),
    get: (space, collection, ids) => read(TABLES[collection], (tables) => GETTERS[collection](tables, space, ids)),
    list: (space, collection, filter) =>
      database.read(LISTED[collection], (tables) => LISTERS[collection](tables, space, filter)),
    commit: (space, commit) => commitMemories(database, space, commit),
    record: (space, use) => record(database, space, use),
    erase: (space, erasure) => eraseMemories(database, space, erasure),
    lease: (space, work, holder, milliseconds) =>
      database.writeQuietly(["leases"], async ({ leases }) => {
        const known = await leases.get([space, work]);
        if (!(milliseconds > 0)) {
          if (known?.holder === holder) await leases.delete([space, work]);
          return false;
        }
        const lease = takeLease(known, { holder, milliseconds, now: database.clock.now() });
        if (lease !== undefined) await leases.put({ space, work, ...lease });
        return lease !== undefined;
      }),
    spaces: ({ after, limit } = {}) =>
      read("spaces", async ({ spaces }) => {
        const behind = after === undefined ? spaces.toCollection() : spaces.where("space").above(after);
        return (await atMost(behind, limit)).map(({ space }) => space);
      }),
  };
}

type ReadById = Exclude<keyof MemoryCollections, "projects">;

const TABLES: Readonly<Record<ReadById, TableName>> = {
  memories: "memory",
  turns: "turns",
  entries: "entries",
  contradictions: "contradictions",
  journal: "journal",
  judgements: "judgements",
};

const LISTED: Readonly<Record<keyof MemoryFilters, TableName[]>> = {
  memories: ["memory"],
  turns: ["turns"],
  entries: ["entries"],
  contradictions: ["contradictions"],
  journal: ["journal"],
  projects: ["memory", "turns"],
};

type Getters = {
  readonly [C in ReadById]: (tables: Tables, space: string, ids: readonly string[]) => Promise<MemoryCollections[C][]>;
};

const GETTERS: Getters = {
  memories: memoriesById,
  turns: turnsById,
  entries: entriesById,
  contradictions: contradictionsById,
  journal: journalById,
  judgements: async ({ judgements }, space, keys) => {
    const rows = await judgements.bulkGet(keys.map((key) => [space, key]));
    return rows.flatMap((row) => (row === undefined ? [] : [{ key: row.key, contradicts: row.contradicts }]));
  },
};

type Listers = {
  readonly [C in keyof MemoryFilters]: (
    tables: Tables,
    space: string,
    filter: MemoryFilters[C] | undefined,
  ) => Promise<MemoryCollections[C][]>;
};

const LISTERS: Listers = {
  memories: listMemories,
  turns: listTurns,
  entries: listEntries,
  contradictions: listContradictions,
  journal: listJournal,
  projects: async (tables, space) =>
    countByProject(await listMemories(tables, space, {}), await listTurns(tables, space, {})),
};

async function record(database: Database, space: string, { uses, judgements = [] }: MemoryRecord): Promise<void> {
  if (uses === undefined && judgements.length === 0) return;
  const rows = judgements.map(({ key, memoryIds, contradicts }) => {
    return { space, key, mentions: mentionsOf(space, memoryIds), contradicts };
  });
  const tables: TableName[] = [...(uses === undefined ? [] : (["memory"] as const)), "judgements"];
  await database.write(tables, async (all) => {
    const used = uses === undefined ? 0 : await countUses(all, space, uses);
    if (rows.length > 0) await all.judgements.bulkPut(rows);
    return used + rows.length > 0;
  });
}
