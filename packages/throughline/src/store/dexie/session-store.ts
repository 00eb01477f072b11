import type { Collection } from "dexie";
import { omitUndefined } from "../../internal/json.ts";
import type { Message } from "../../message/message.ts";
import type {
  Commit,
  MessageFilter,
  MessageLog,
  SessionHead,
  SessionKey,
  SessionStore,
  SessionSummary,
  StoredCompaction,
  StoredReceipt,
} from "../../ports/store.ts";
import { frozenCopy } from "../frozen-copy.ts";
import type { Database } from "./database.ts";
import {
  addUnique,
  atMost,
  beginningWith,
  type Lease,
  type MessageRow,
  refuseTwice,
  type SessionRow,
  type Tables,
} from "./tables.ts";

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

const BY_ID = "[owner+sessionId+id]";

type SessionNames = readonly [owner: string, sessionId: string];

/** Messages in IndexedDB. */
export function dexieMessageLog(database: Database): MessageLog {
  const read = <T>(work: (tables: Tables) => Promise<T>) => database.read(["messages"], work);
  return {
    append: (key, at, messages) => append(database, key, at, messages),
    get: (key, ids) => read(async (tables) => messagesOf(inOrder(await withIds(tables, key, ids).toArray()))),
    list: (key, filter = {}) => read((tables) => list(tables, key, filter)),
    taken: (key, ids) =>
      read(async (tables) => {
        const messages = new Set(idsIn(await withIds(tables, key, ids.messages).keys()));
        const parts = await partsThatAre(tables, key, ids.parts);
        return {
          messages: ids.messages.filter((id) => messages.has(id)),
          parts: ids.parts.filter((id) => parts.has(id)),
        };
      }),
    marks: (key) =>
      database.read(["marks"], async ({ marks }) => {
        const rows = await beginningWith(marks, "[owner+sessionId+partId]", namesOf(key)).toArray();
        return new Map(rows.map(({ partId, at }) => [partId, at]));
      }),
  };
}

async function list({ messages }: Tables, key: SessionKey, filter: MessageFilter): Promise<Message[]> {
  const names = namesOf(key);
  if ("parts" in filter) {
    const keys = [...new Set(filter.parts)].map((part) => [...names, part]);
    return messagesOf(inOrder(await messages.where("partKeys").anyOf(keys).distinct().toArray()));
  }
  const { from = 0, limit = Number.POSITIVE_INFINITY } = filter;
  // Positions have no gaps.
  const found = messages.where(BY_POSITION).between([...names, from], [...names, from + limit], true, false);
  return messagesOf(await found.toArray());
}

async function append(database: Database, key: SessionKey, at: number, messages: readonly Message[]): Promise<boolean> {
  // Built before the transaction starts, so that others do not wait.
  const rows = messages.map((message, i) => messageRow(key, at + i, message));
  const isAtEnd = async ({ sessions }: Tables) => ((await sessions.get(namesOf(key)))?.appended ?? 0) === at;
  if (rows.length === 0) return database.read(["sessions"], isAtEnd);
  return database.write(["sessions", "messages"], async (tables) => {
    if (!(await isAtEnd(tables))) return false;
    const parts = messages.flatMap((message) => message.parts);
    refuseTwice(
      "part",
      parts.map(({ id }) => id),
    );
    await addUnique(tables.messages, rows, "message or part of message");
    const now = database.clock.now();
    const session = (await tables.sessions.get(namesOf(key))) ?? newSession(key, now);
    await tables.sessions.put({ ...session, appended: at + rows.length, updatedAt: now });
    return true;
  });
}

/** Returns the parts that exist in the session. */
async function partsThatAre({ messages }: Tables, key: SessionKey, ids: readonly string[]): Promise<Set<string>> {
  const keys = [...new Set(ids)].map((id) => [...namesOf(key), id]);
  return new Set(idsIn(await messages.where("partKeys").anyOf(keys).keys()));
}

function withIds({ messages }: Tables, key: SessionKey, ids: readonly string[]): Collection<MessageRow> {
  return messages.where(BY_ID).anyOf([...new Set(ids)].map((id) => [...namesOf(key), id]));
}

/** Ids in keys of owner, session and id. */
function idsIn(keys: readonly unknown[]): string[] {
  return (keys as SessionNames[]).map((key) => String(key.at(-1)));
}

function messageRow(key: SessionKey, position: number, message: Message): MessageRow {
  const [owner, sessionId] = namesOf(key);
  const partKeys = message.parts.map(({ id }) => [owner, sessionId, id] as const);
  return { owner, sessionId, position, id: message.id, partKeys, message: frozenCopy(message) };
}

function messagesOf(rows: readonly MessageRow[]): Message[] {
  return rows.map(({ message }) => message);
}

function inOrder(rows: MessageRow[]): MessageRow[] {
  return rows.sort((a, b) => a.position - b.position);
}

function namesOf({ userId, sessionId }: SessionKey): [owner: string, sessionId: string] {
  return [userId, sessionId];
}

/** A session without data. */
export function newSession({ userId, sessionId }: SessionKey, now: number): SessionRow {
  const counts = { appended: 0, revision: 0, compactions: 0, receipts: 0 };
  return { owner: userId, sessionId, ...counts, createdAt: now, updatedAt: now };
}

function headOf(row: SessionRow | undefined, now: number): SessionHead {
  return {
    appended: row?.appended ?? 0,
    revision: row?.revision ?? 0,
    compactions: row?.compactions ?? 0,
    receipts: row?.receipts ?? 0,
    lastCompactionAt: row?.lastCompactionAt,
    isCompacting: isHeld(row?.lease, now),
  };
}

function summaryOf(row: SessionRow, now: number): SessionSummary {
  const { sessionId, createdAt, updatedAt } = row;
  return { sessionId, createdAt, updatedAt, ...headOf(row, now) };
}

interface LeaseRequest {
  readonly holder: string;
  /** More than 0. */
  readonly milliseconds: number;
  readonly now: number;
}

/** The lease after a request for it; `undefined` if another holder has it. */
export function takeLease(lease: Lease | undefined, { holder, milliseconds, now }: LeaseRequest): Lease | undefined {
  if (lease !== undefined && lease.holder !== holder && isHeld(lease, now)) return undefined;
  return { holder, until: now + milliseconds };
}

function isHeld(lease: Lease | undefined, now: number): boolean {
  return lease !== undefined && lease.until > now;
}
