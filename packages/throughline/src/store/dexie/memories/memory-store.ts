import type { MemoryStore } from "../../../ports/memory-store.ts";
import type { Database } from "../database.ts";
import { atMost } from "../key-range.ts";
import { takeLease } from "../lease.ts";
import type { TableName, Tables } from "../tables.ts";
import { commitMemories, headOf } from "./commit-memories.ts";
import { eraseMemories } from "./erase-memories.ts";
import { mentionsOf } from "./memory-row.ts";
import { readContradictions, readJournal } from "./read-journal.ts";
import { countUse, listMemories, memoriesById, relatedMemories } from "./read-memories.ts";
import { countTurns, entriesAfter, entriesById, entriesWithout, turnsById, turnsOfSession } from "./read-turns.ts";

/** Memories in the browser's database. */
export function dexieMemoryStore(database: Database): MemoryStore {
  const read = <T>(table: TableName, work: (tables: Tables) => Promise<T>) => database.read([table], work);
  return {
    head: (space) =>
      read("spaces", async (tables) => {
        const { revision, epoch } = await headOf(tables, space);
        return { revision, epoch };
      }),
    commit: (space, commit) => commitMemories(database, space, commit),
    memories: (space, ids) => read("memory", (tables) => memoriesById(tables, space, ids)),
    list: (space, filter = {}) => read("memory", (tables) => listMemories(tables, space, filter)),
    related: (space, slots, fingerprint) =>
      read("memory", (tables) => relatedMemories(tables, space, { slots, fingerprint })),
    countUse: async (space, ids, use, at) => {
      await countUse(database, space, ids, { use, at });
    },
    turns: (space, ids) => read("turns", (tables) => turnsById(tables, space, ids)),
    turnsOf: (space, sessionId, from, limit) =>
      read("turns", (tables) => turnsOfSession(tables, space, sessionId, { from, limit })),
    countTurns: (space, sessionId) => read("turns", (tables) => countTurns(tables, space, sessionId)),
    entries: (space, after, limit) => read("entries", (tables) => entriesAfter(tables, space, after, limit)),
    entriesOf: (space, ids) => read("entries", (tables) => entriesById(tables, space, ids)),
    entriesWithout: (space, embedder, after, limit) =>
      read("entries", (tables) => entriesWithout(tables, space, { embedder, after, limit })),
    contradictions: (space, filter = {}) =>
      read("contradictions", (tables) => readContradictions(tables, space, filter)),
    journal: (space, filter) => read("journal", (tables) => readJournal(tables, space, filter)),
    judgement: (space, key) =>
      read("judgements", async ({ judgements }) => (await judgements.get([space, key]))?.contradicts),
    keepJudgement: async (space, { key, memoryIds, contradicts }) => {
      const row = { space, key, mentions: mentionsOf(space, memoryIds), contradicts };
      await database.write(["judgements"], async ({ judgements }) => judgements.put(row));
    },
    erase: (space, erasure) => eraseMemories(database, space, erasure),
    ...leases(database),
    spaces: ({ after, limit } = {}) =>
      read("spaces", async ({ spaces }) => {
        const behind = after === undefined ? spaces.toCollection() : spaces.where("space").above(after);
        return (await atMost(behind, limit)).map(({ space }) => space);
      }),
  };
}

function leases(database: Database): Pick<MemoryStore, "acquire" | "release"> {
  return {
    acquire: (space, work, holder, milliseconds) =>
      database.writeQuietly(["leases"], async ({ leases }) => {
        const now = database.clock.now();
        const lease = takeLease(await leases.get([space, work]), { holder, milliseconds, now });
        if (lease !== undefined) await leases.put({ space, work, ...lease });
        return lease !== undefined;
      }),
    release: (space, work, holder) =>
      database.writeQuietly(["leases"], async ({ leases }) => {
        if ((await leases.get([space, work]))?.holder === holder) await leases.delete([space, work]);
      }),
  };
}
