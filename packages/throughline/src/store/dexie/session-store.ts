import { omitUndefined } from "../../internal/json.ts";
import type { Commit, SessionKey, SessionStore, StoredCompaction, StoredReceipt } from "../../ports/store.ts";
import { frozenCopy } from "../in-process/frozen-copy.ts";
import { addUnique } from "./add-unique.ts";
import type { Database } from "./database.ts";
import { atMost, beginningWith } from "./key-range.ts";
import { partsThatAre } from "./message-log.ts";
import { headOf, type LeaseRequest, newSession, summaryOf, takeLease } from "./session-row.ts";
import type { SessionRow, Tables } from "./tables.ts";

const BY_POSITION = "[owner+sessionId+position]";

/** Session data other than messages, in IndexedDB. */
export function dexieSessionStore(database: Database): SessionStore {
  const { clock } = database;
  return {
    head: (key) => database.read(["sessions"], async (tables) => headOf(await sessionOf(tables, key), clock.now())),
    state: ({ userId, sessionId }) =>
      database.read(["states"], async ({ states }) => (await states.get([userId, sessionId]))?.state),
    commit: (key, commit) => writeCommit(database, key, commit),
    compactions: (key, ids) => database.read(["compactions"], (tables) => compactions(tables, key, ids)),
    receipts: (key, limit) => database.read(["sessions", "receipts"], (tables) => receipts(tables, key, limit)),
    lease: (key, holder, milliseconds) =>
      database.writeQuietly(["sessions"], (tables) =>
        milliseconds > 0
          ? acquire(tables, key, { holder, milliseconds, now: clock.now() })
          : release(tables, key, holder),
      ),
    list: (owner, { after, limit } = {}) =>
      database.read(["sessions"], async ({ sessions }) => {
        const rows = await atMost(beginningWith(sessions, "[owner+sessionId]", [owner], after), limit);
        return rows.map((row) => summaryOf(row, clock.now()));
      }),
    purge: (key) => purge(database, key),
  };
}

function sessionOf({ sessions }: Tables, { userId, sessionId }: SessionKey): Promise<SessionRow | undefined> {
  return sessions.get([userId, sessionId]);
}

async function acquire(tables: Tables, key: SessionKey, request: LeaseRequest): Promise<boolean> {
  const session = (await sessionOf(tables, key)) ?? newSession(key, request.now);
  const lease = takeLease(session.lease, request);
  if (lease !== undefined) await tables.sessions.put({ ...session, lease });
  return lease !== undefined;
}

async function release(tables: Tables, key: SessionKey, holder: string): Promise<false> {
  const session = await sessionOf(tables, key);
  if (session?.lease?.holder === holder) {
    await tables.sessions.put(omitUndefined({ ...session, lease: undefined }));
  }
  return false;
}

async function compactions(
  tables: Tables,
  { userId, sessionId }: SessionKey,
  ids: readonly string[] | undefined,
): Promise<StoredCompaction[]> {
  const table = tables.compactions;
  if (ids === undefined) {
    return (await beginningWith(table, BY_POSITION, [userId, sessionId]).toArray()).map(({ value }) => value);
  }
  const keys = [...new Set(ids)].map((id) => [userId, sessionId, id]);
  const rows = await table.where("[owner+sessionId+id]").anyOf(keys).toArray();
  return rows.sort((a, b) => a.position - b.position).map(({ value }) => value);
}

async function receipts(tables: Tables, key: SessionKey, limit = Number.POSITIVE_INFINITY): Promise<StoredReceipt[]> {
  const count = (await sessionOf(tables, key))?.receipts ?? 0;
  const before = Math.max(0, count - limit) - 1;
  const rows = await beginningWith(tables.receipts, BY_POSITION, [key.userId, key.sessionId], before).toArray();
  return rows.map(({ value }) => value);
}

/** The browser may keep deleted data in its files until it compacts them. */
async function purge(database: Database, { userId, sessionId }: SessionKey): Promise<void> {
  const names = [userId, sessionId] as const;
  const tables = ["sessions", "states", "messages", "marks", "compactions", "receipts"] as const;
  await database.write(tables, async ({ sessions, states, messages, marks, ...others }) => {
    await sessions.delete([...names]);
    await states.delete([...names]);
    await beginningWith(marks, "[owner+sessionId+partId]", names).delete();
    await beginningWith(messages, BY_POSITION, names).delete();
    await beginningWith(others.compactions, BY_POSITION, names).delete();
    await beginningWith(others.receipts, BY_POSITION, names).delete();
  });
}

/** Writes the whole commit; `false` if another writer committed since. */
function writeCommit(database: Database, key: SessionKey, commit: Commit): Promise<boolean> {
  const { userId, sessionId } = key;
  // Built before the transaction starts, so that others do not wait.
  const state = frozenCopy(commit.state);
  const [compactions, receipts] = [rowsOf(key, commit.compactions), rowsOf(key, commit.receipts)];
  const tables = ["sessions", "states", "compactions", "receipts", "marks", "messages"] as const;
  return database.write(tables, async (all) => {
    const now = database.clock.now();
    const session = (await all.sessions.get([userId, sessionId])) ?? newSession(key, now);
    if (session.revision !== commit.revision) return false;
    await addUnique(all.compactions, behind(session.compactions, compactions), "compaction");
    await addUnique(all.receipts, behind(session.receipts, receipts), "receipt");
    if (state !== undefined) await all.states.put({ owner: userId, sessionId, state });
    if (commit.marks !== undefined) await mark(all, key, commit.marks);
    await all.sessions.put(
      omitUndefined({
        ...session,
        revision: session.revision + 1,
        compactions: session.compactions + compactions.length,
        receipts: session.receipts + receipts.length,
        lastCompactionAt: compactions.at(-1)?.value.createdAt ?? session.lastCompactionAt,
        updatedAt: now,
      }),
    );
    return true;
  });
}

function rowsOf<T extends { readonly id: string }>({ userId, sessionId }: SessionKey, values: readonly T[] = []) {
  return values.map((value) => ({ owner: userId, sessionId, id: value.id, value: frozenCopy(value) }));
}

/** Rows with their positions, after the existing ones. */
function behind<T>(count: number, rows: readonly T[]) {
  return rows.map((row, i) => ({ ...row, position: count + i }));
}

/** Ignores missing parts. */
async function mark(tables: Tables, key: SessionKey, marks: ReadonlyMap<string, number>): Promise<void> {
  const { userId, sessionId } = key;
  const parts = await partsThatAre(tables, key, [...marks.keys()]);
  const known = [...marks].filter(([partId]) => parts.has(partId));
  await tables.marks.bulkPut(known.map(([partId, at]) => ({ owner: userId, sessionId, partId, at })));
}
