import type { SessionKey, Store } from "../../ports/store.ts";
import { assertRefused } from "../assert.ts";
import { conversation } from "../samples.ts";
import type { StoreFact } from "../store-check.ts";

export const CLOSE_FACTS: readonly StoreFact[] = [
  [
    "a store that is closed refuses every call",
    async (store, key) => {
      await store.messages.append(key, 0, conversation(key, 1));
      await store.close();
      for (const [name, call] of Object.entries(callsOf(store, key))) await assertRefused(call(), "closed", name);
    },
  ],
  ["a store can be closed before it was used, and twice", (store) => store.close()],
];

function callsOf({ messages, sessions, news }: Store, key: SessionKey): Record<string, () => Promise<unknown>> {
  return {
    ...(news && { publish: () => news.publish(key, 1), subscribe: () => news.subscribe(key, () => undefined) }),
    append: () => messages.append(key, 1, conversation(key, 1, 1)),
    range: () => messages.range(key, 0),
    byId: () => messages.byId(key, ["m0"]),
    holding: () => messages.holding(key, "m0.0"),
    taken: () => messages.taken(key, { messages: ["m0"], parts: [] }),
    marks: () => messages.marks(key),
    head: () => sessions.head(key),
    state: () => sessions.state(key),
    commit: () => sessions.commit(key, { revision: 0 }),
    compactions: () => sessions.compactions(key),
    receipts: () => sessions.receipts(key),
    acquire: () => sessions.acquire(key, "one", 1000),
    release: () => sessions.release(key, "one"),
    list: () => sessions.list(key.owner),
    purge: () => sessions.purge(key),
  };
}
