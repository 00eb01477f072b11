import { ThroughlineError } from "../../../src/errors/throughline-error.ts";
import { type DexieStore, dexieStore } from "../../../src/store/dexie/dexie.ts";
import type { Outcome, PageApi } from "../page-api.ts";

export const key = { userId: "ann", sessionId: "s" };
export const space = "user:ann";

const stores = new Map<string, DexieStore>();
let fixedTime: number | undefined;

/** The page's store on a database. */
export function storeOn(database: string): DexieStore {
  const store = stores.get(database) ?? dexieStore({ name: database, clock: { now: () => fixedTime ?? Date.now() } });
  stores.set(database, store);
  return store;
}

export async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await work() };
  } catch (error) {
    if (!ThroughlineError.isInstance(error)) throw error;
    const { problem = error.code } = error as { readonly problem?: string };
    return { problem, message: error.message, hint: error.hint };
  }
}

export const storeCalls: Pick<
  PageApi,
  | "open"
  | "close"
  | "head"
  | "setClock"
  | "acquire"
  | "release"
  | "putConversation"
  | "listConversations"
  | "getConversation"
  | "removeConversation"
> = {
  open: (database) => outcomeOf(async () => (await storeOn(database).sessions.head(key)).appended),
  close: async (database) => {
    await stores.get(database)?.close();
    stores.delete(database);
  },
  head: (database) => storeOn(database).sessions.head(key),
  setClock: async (milliseconds) => {
    fixedTime = milliseconds;
  },
  acquire: async (database, holder, milliseconds) => {
    const { sessions, memories } = storeOn(database);
    return [await sessions.lease(key, holder, milliseconds), await memories.lease(space, "work", holder, milliseconds)];
  },
  release: async (database, holder) => {
    await storeOn(database).sessions.lease(key, holder, 0);
    await storeOn(database).memories.lease(space, "work", holder, 0);
  },
  putConversation: (database, owner, conversation) => storeOn(database).conversations.put(owner, conversation),
  listConversations: (database, owner) => storeOn(database).conversations.list(owner),
  getConversation: (database, owner, id) => storeOn(database).conversations.get(owner, id),
  removeConversation: (database, owner, id) => storeOn(database).conversations.remove(owner, id),
};
