import type { Collection } from "dexie";
import type { Message } from "../../message/message.ts";
import type { MessageFilter, MessageLog, SessionKey } from "../../ports/store.ts";
import { frozenCopy } from "../in-process/frozen-copy.ts";
import { addUnique, refuseTwice } from "./add-unique.ts";
import type { Database } from "./database.ts";
import { beginningWith } from "./key-range.ts";
import { newSession } from "./session-row.ts";
import type { MessageRow, Tables } from "./tables.ts";

const BY_POSITION = "[owner+sessionId+position]";
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
export async function partsThatAre(
  { messages }: Tables,
  key: SessionKey,
  ids: readonly string[],
): Promise<Set<string>> {
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
