import { createThroughline, type Store } from "throughline";
import { MODEL } from "../make-messages.ts";
import type { LongSession } from "./build-session.ts";
import type { LoadTarget, OpenedWindow } from "./load-target.ts";

const BATCH = 500;

/** A database with one session. */
export interface Database {
  openStore(): Store;
  /** Bytes on disk, after a checkpoint. */
  size(): Promise<number>;
}

export interface OurTarget extends LoadTarget {
  /** Loads it once more, counting the reads. */
  countReads(session: LongSession): Promise<CountedStore["reads"]>;
}

export function ourTarget(name: string, create: (session: LongSession) => Promise<Database>): OurTarget {
  const databases = new Map<LongSession, Database>();
  const openStore = (session: LongSession) => {
    const database = databases.get(session);
    if (database === undefined) throw new Error(`${session.key.sessionId} is not there.`);
    return database.openStore();
  };
  return {
    name,
    async fill(session, source) {
      const database = await create(session);
      databases.set(session, database);
      const store = database.openStore();
      await copyMessages(session, source, store);
      const messages = await database.size();
      await copyRest(session, source, store);
      await store.close();
      return { messages, all: await database.size() };
    },
    openWindow: async (session) => openWindow(session, () => openStore(session)),
    async countReads(session) {
      const { store, reads } = countReads(openStore(session));
      await openWindow(session, () => store);
      return reads;
    },
  };
}

async function copyMessages({ key, length }: LongSession, from: Store, to: Store): Promise<void> {
  for (let at = 0; at < length; at += BATCH) {
    await to.messages.append(key, at, await from.messages.list(key, { from: at, limit: BATCH }));
  }
}

async function copyRest({ key }: LongSession, from: Store, to: Store): Promise<void> {
  await to.sessions.commit(key, {
    revision: 0,
    state: await from.sessions.state(key),
    compactions: await from.sessions.compactions(key),
    receipts: await from.sessions.receipts(key),
    marks: await from.messages.marks(key),
  });
}

async function openWindow({ key, length }: LongSession, openStore: () => Store): Promise<OpenedWindow> {
  const start = performance.now();
  const throughline = await createThroughline({ store: openStore(), userId: key.userId });
  const session = throughline.session(key.sessionId, { modelId: MODEL });
  const { appended } = await session.status();
  const opened = performance.now();
  const turn = await session.prepare();
  const ended = performance.now();
  await throughline.close();
  if (appended !== length) throw new Error(`${key.sessionId} has ${appended} messages.`);
  return { open: opened - start, load: ended - opened, messages: turn.messages.length, tokens: turn.tokens.final };
}

interface CountedStore {
  readonly store: Store;
  readonly reads: { messages: number; bytes: number };
}

/** Wraps a store to count the reads of messages, states and compactions. */
function countReads(store: Store): CountedStore {
  const reads = { messages: 0, bytes: 0 };
  const noting =
    <Args extends unknown[], Value>(read: (...args: Args) => Promise<Value>) =>
    async (...args: Args) => {
      const value = await read(...args);
      reads.bytes += Buffer.byteLength(JSON.stringify(value) ?? "");
      return value;
    };
  const notingMessages = <Args extends unknown[], Value extends readonly unknown[]>(
    read: (...args: Args) => Promise<Value>,
  ) =>
    noting(async (...args: Args) => {
      const value = await read(...args);
      reads.messages += value.length;
      return value;
    });
  const { messages, sessions } = store;
  return {
    reads,
    store: {
      ...store,
      messages: { ...messages, get: notingMessages(messages.get), list: notingMessages(messages.list) },
      sessions: { ...sessions, state: noting(sessions.state), compactions: noting(sessions.compactions) },
    },
  };
}
