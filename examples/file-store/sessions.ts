import type { MessageLog, SessionHead, SessionKey, SessionStore } from "throughline/store";
import { type Data, type Database, lease, page, refuseTwice, type SessionData } from "./database.ts";

export function messageLog(database: Database): MessageLog {
  const messagesOf = (data: Data, key: SessionKey) => data.sessions.get(nameOf(key))?.messages ?? [];
  return {
    append: (key, at, messages) =>
      database.write((data) => {
        const known = messagesOf(data, key);
        if (known.length !== at) return false;
        refuseTwice("message", [...known, ...messages]);
        refuseTwice(
          "part",
          [...known, ...messages].flatMap(({ parts }) => parts),
        );
        if (messages.length > 0) openSession(data, key).messages.push(...structuredClone(messages));
        return true;
      }),
    get: (key, ids) => database.read((data) => messagesOf(data, key).filter(({ id }) => ids.includes(id))),
    list: (key, filter = {}) =>
      database.read((data) => {
        const all = messagesOf(data, key);
        if ("parts" in filter) return all.filter(({ parts }) => parts.some(({ id }) => filter.parts.includes(id)));
        const { from = 0, limit = Number.POSITIVE_INFINITY } = filter;
        return all.slice(from, from + limit);
      }),
    taken: (key, ids) =>
      database.read((data) => {
        const messages = new Set(messagesOf(data, key).map(({ id }) => id));
        const parts = new Set(messagesOf(data, key).flatMap((message) => message.parts.map(({ id }) => id)));
        return {
          messages: ids.messages.filter((id) => messages.has(id)),
          parts: ids.parts.filter((id) => parts.has(id)),
        };
      }),
    marks: (key) => database.read((data) => data.sessions.get(nameOf(key))?.marks ?? new Map<string, number>()),
  };
}

export function sessionStore(database: Database): SessionStore {
  const find = (data: Data, key: SessionKey) => data.sessions.get(nameOf(key));
  return {
    head: (key) => database.read((data) => headOf(find(data, key))),
    state: (key) => database.read((data) => find(data, key)?.state),
    commit: (key, commit) =>
      database.write((data) => {
        if ((find(data, key)?.revision ?? 0) !== commit.revision) return false;
        const session = openSession(data, key);
        session.revision += 1;
        if (commit.state !== undefined) session.state = structuredClone(commit.state);
        session.compactions.push(...structuredClone(commit.compactions ?? []));
        session.receipts.push(...structuredClone(commit.receipts ?? []));
        refuseTwice("compaction", session.compactions);
        refuseTwice("receipt", session.receipts);
        const parts = new Set(session.messages.flatMap((message) => message.parts.map(({ id }) => id)));
        for (const [part, at] of commit.marks ?? []) if (parts.has(part)) session.marks.set(part, at);
        return true;
      }),
    compactions: (key, ids) =>
      database.read((data) => (find(data, key)?.compactions ?? []).filter(({ id }) => ids?.includes(id) ?? true)),
    receipts: (key, limit = Number.POSITIVE_INFINITY) =>
      database.read((data) => {
        const receipts = find(data, key)?.receipts ?? [];
        return receipts.slice(Math.max(0, receipts.length - limit));
      }),
    lease: async (key, holder, milliseconds) => {
      const { isHeld } = await database.write((data) => {
        if (!(milliseconds > 0) && find(data, key) === undefined) return { isHeld: false };
        return { isHeld: lease(openSession(data, key).leases, "", holder, milliseconds) };
      });
      return isHeld;
    },
    list: (userId, { after, limit } = {}) =>
      database.read((data) => {
        const own = [...data.sessions.values()].filter((session) => session.userId === userId);
        return page(own, ({ sessionId }) => sessionId, after, limit).map((session) => {
          const { sessionId, createdAt, updatedAt } = session;
          return { sessionId, createdAt, updatedAt, ...headOf(session) };
        });
      }),
    purge: async (key) => void (await database.write((data) => void data.sessions.delete(nameOf(key)))),
  };
}

function nameOf({ userId, sessionId }: SessionKey): string {
  return JSON.stringify([userId, sessionId]);
}

/** The session to write to, which is created if it does not exist. */
function openSession(data: Data, key: SessionKey): SessionData {
  const now = Date.now();
  const counts = { revision: 0, state: undefined, leases: new Map(), marks: new Map() };
  const lists = { messages: [], compactions: [], receipts: [] };
  const session = data.sessions.get(nameOf(key)) ?? { ...key, createdAt: now, updatedAt: now, ...counts, ...lists };
  session.updatedAt = now;
  data.sessions.set(nameOf(key), session);
  return session;
}

function headOf(session: SessionData | undefined): SessionHead {
  return {
    appended: session?.messages.length ?? 0,
    revision: session?.revision ?? 0,
    compactions: session?.compactions.length ?? 0,
    receipts: session?.receipts.length ?? 0,
    lastCompactionAt: session?.compactions.at(-1)?.createdAt,
    isCompacting: (session?.leases.get("")?.until ?? 0) > Date.now(),
  };
}
