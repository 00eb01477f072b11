import type { MemoryStore, SpaceHead } from "../../../ports/memory-store.ts";
import { numberOf, storedTextOf } from "../read-row.ts";
import type { SqlTransaction, StoreDatabase, StoreTransaction } from "../sql-driver.ts";
import { limited } from "../statements.ts";
import { toStoredText } from "../stored-text.ts";
import { commitMemories } from "./commit-memories.ts";
import { eraseMemories } from "./erase-memories.ts";
import { keepJudgement, readJudgement } from "./judgements.ts";
import { acquireWork, releaseWork } from "./memory-lease.ts";
import { readContradictions, readJournal } from "./read-journal.ts";
import { countUse, listMemories, memoriesById, relatedMemories } from "./read-memories.ts";
import { countTurns, entriesAfter, entriesById, entriesWithout, turnsById, turnsOfSession } from "./read-turns.ts";

/** Memories in a database. */
export function sqlMemoryStore(database: StoreDatabase): MemoryStore {
  const { dialect } = database;
  const read = <T>(name: string, work: (tx: StoreTransaction, space: string) => Promise<T>) =>
    database.read((tx) => work(tx, toStoredText(name)));
  return {
    head: (name) => read(name, head),
    commit: (name, commit) => commitMemories(database, name, commit),
    memories: (name, ids) => read(name, (tx, space) => memoriesById(tx, space, ids)),
    list: (name, filter = {}) => read(name, (tx, space) => listMemories(tx, dialect, space, filter)),
    related: (name, slots, fingerprint) =>
      read(name, (tx, space) => relatedMemories(tx, dialect, space, { slots, fingerprint })),
    countUse: (name, ids, use, at) => countUse(database, toStoredText(name), ids, { use, at }),
    turns: (name, ids) => read(name, (tx, space) => turnsById(tx, space, ids)),
    turnsOf: (name, sessionId, from, limit) =>
      read(name, (tx, space) => turnsOfSession(tx, space, sessionId, { from, limit })),
    countTurns: (name, sessionId) => read(name, (tx, space) => countTurns(tx, space, sessionId)),
    entries: (name, after, limit) => read(name, (tx, space) => entriesAfter(tx, space, after, limit)),
    entriesOf: (name, ids) => read(name, (tx, space) => entriesById(tx, space, ids)),
    entriesWithout: (name, embedder, after, limit) =>
      read(name, (tx, space) => entriesWithout(tx, dialect, space, { embedder, after, limit })),
    contradictions: (name, filter = {}) => read(name, (tx, space) => readContradictions(tx, space, filter)),
    journal: (name, filter) => read(name, (tx, space) => readJournal(tx, space, filter)),
    judgement: (name, key) => read(name, (tx, space) => readJudgement(tx, space, key)),
    keepJudgement: (name, judgement) => keepJudgement(database, toStoredText(name), judgement),
    erase: (name, erasure) => eraseMemories(database, toStoredText(name), erasure),
    acquire: (name, work, holder, milliseconds) =>
      acquireWork(database, toStoredText(name), { work, holder }, milliseconds),
    release: (name, work, holder) => releaseWork(database, toStoredText(name), { work, holder }),
    spaces: (page = {}) => database.read((tx) => spaces(tx, page)),
  };
}

async function head(tx: SqlTransaction, space: string): Promise<SpaceHead> {
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
