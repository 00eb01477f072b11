import { createThroughline, type Store } from "throughline";
import { MODEL } from "../make-messages.ts";
import type { LongSession } from "./build-session.ts";
import { type CountedStore, countReads } from "./count-reads.ts";
import type { OpenedWindow, Shelf } from "./load-target.ts";

const BATCH = 500;

/** A database that holds one session. */
export interface Database {
  openStore(): Store;
  /** Bytes on disk, when everything is in its place. */
  size(): Promise<number>;
}

export interface OurShelf extends Shelf {
  /** The same once more, to see what is read. */
  countReads(session: LongSession): Promise<CountedStore["reads"]>;
}

export function ourShelf(name: string, create: (session: LongSession) => Promise<Database>): OurShelf {
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
  const throughline = await createThroughline({ store: openStore(), userId: key.owner });
  const session = throughline.session(key.sessionId, { modelId: MODEL });
  const { appended } = await session.status();
  const opened = performance.now();
  const turn = await session.prepare();
  const ended = performance.now();
  await throughline.close();
  if (appended !== length) throw new Error(`${key.sessionId} has ${appended} messages.`);
  return { open: opened - start, load: ended - opened, messages: turn.messages.length, tokens: turn.tokens.final };
}
