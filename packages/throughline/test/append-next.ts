import type { Message } from "../src/message/message.ts";
import type { SessionKey, Store } from "../src/ports/store.ts";

/** Appends at the end. Retries if another writer was faster. */
export async function appendNext(store: Store, key: SessionKey, message: Message): Promise<void> {
  for (;;) {
    const { appended } = await store.sessions.head(key);
    if (await store.messages.append(key, appended, [message])) return;
  }
}

/** The ids of all messages, in order. */
export async function idsOf(store: Store, key: SessionKey): Promise<string[]> {
  return (await store.messages.list(key)).map(({ id }) => id);
}
