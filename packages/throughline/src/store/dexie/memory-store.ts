import { type Collection, Dexie } from "dexie";
import type { Utterance } from "../../ports/memory.ts";
import type {
  EntryFilter,
  MemoryCollections,
  MemoryFilters,
  MemoryRecord,
  MemoryStore,
  StoredSearchEntry,
  UtteranceFilter,
} from "../../ports/memory-store.ts";
import { countByProject } from "../memory-rules.ts";
import { commitMemories, headOf, mentionsOf, readEntryRow } from "./commit-memories.ts";
import type { Database } from "./database.ts";
import { eraseMemories } from "./erase-memories.ts";
import {
  contradictionsById,
  countUses,
  journalById,
  listContradictions,
  listJournal,
  listMemories,
  memoriesById,
} from "./read-memories.ts";
import { takeLease } from "./session-store.ts";
import { atMost, beginningWith, type EntryRow, type TableName, type Tables, type TurnRow } from "./tables.ts";

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
const LISTERS: Listers = {
  memories: listMemories,
  turns: listTurns,
  entries: listEntries,
  contradictions: listContradictions,
  journal: listJournal,
  projects: async (tables, space) =>
    countByProject(await listMemories(tables, space, {}), await listTurns(tables, space, {})),
};

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

type Getters = {
  readonly [C in ReadById]: (tables: Tables, space: string, ids: readonly string[]) => Promise<MemoryCollections[C][]>;
};

type Listers = {
  readonly [C in keyof MemoryFilters]: (
    tables: Tables,
    space: string,
    filter: MemoryFilters[C] | undefined,
  ) => Promise<MemoryCollections[C][]>;
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

const OF_SESSION = "[space+sessionId+position+id]";
const BY_EMBEDDER = "[space+madeWith+id]";

/** Turns by id, in the order of `ids`. */
async function turnsById({ turns }: Tables, space: string, ids: readonly string[]): Promise<Utterance[]> {
  const rows = await turns.bulkGet(ids.map((id) => [space, id]));
  return rows.flatMap((row) => row?.turn ?? []);
}

async function listTurns({ turns }: Tables, space: string, filter: UtteranceFilter = {}): Promise<Utterance[]> {
  const rows = await atMost(selectTurns(turns, space, filter), filter.limit);
  return rows.map(({ turn }) => turn);
}

function selectTurns(
  turns: Tables["turns"],
  space: string,
  filter: UtteranceFilter,
): Collection<TurnRow, [string, string]> {
  if (!("sessionId" in filter)) return beginningWith(turns, "[space+id]", [space], filter.after);
  const { sessionId, from = 0, newestFirst = false } = filter;
  // A key that ends with the position sorts before keys that continue with an id.
  const found = beginningWith(turns, OF_SESSION, [space, sessionId], from);
  return newestFirst ? found.reverse() : found;
}

async function listEntries({ entries }: Tables, space: string, filter: EntryFilter = {}): Promise<StoredSearchEntry[]> {
  if ("withoutVectorOf" in filter) return entriesWithout({ entries }, space, filter);
  const { revision = 0, id } = filter.after ?? {};
  const behind = entries
    .where("[space+revision+id]")
    .between([space, revision, id ?? Dexie.maxKey], [space, Dexie.maxKey], false, true);
  return (await atMost(behind, filter.limit)).map(readEntryRow);
}

/** In the order of `ids`. */
async function entriesById({ entries }: Tables, space: string, ids: readonly string[]): Promise<StoredSearchEntry[]> {
  const rows = await entries.bulkGet(ids.map((id) => [space, id]));
  return rows.flatMap((row) => (row === undefined ? [] : [readEntryRow(row)]));
}

async function entriesWithout(
  { entries }: Pick<Tables, "entries">,
  space: string,
  filter: Extract<EntryFilter, { readonly withoutVectorOf: string }>,
): Promise<StoredSearchEntry[]> {
  const { withoutVectorOf, afterId, limit = Number.POSITIVE_INFINITY } = filter;
  const found: EntryRow[] = [];
  for (const madeWith of await embeddersIn({ entries }, space)) {
    if (madeWith === withoutVectorOf) continue;
    found.push(...(await atMost(beginningWith(entries, BY_EMBEDDER, [space, madeWith], afterId), limit)));
  }
  return found
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, Math.max(0, limit))
    .map(readEntryRow);
}

/** Names of the embedders of all vectors. Reads only the first index entry of each. */
async function embeddersIn({ entries }: Pick<Tables, "entries">, space: string): Promise<EntryRow["madeWith"][]> {
  const found: EntryRow["madeWith"][] = [];
  let first = await beginningWith(entries, BY_EMBEDDER, [space]).first();
  while (first !== undefined) {
    found.push(first.madeWith);
    const last = [space, first.madeWith, Dexie.maxKey];
    first = await entries.where(BY_EMBEDDER).between(last, [space, Dexie.maxKey], false, true).first();
  }
  return found;
}
