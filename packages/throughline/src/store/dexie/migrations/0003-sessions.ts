import type { Transaction } from "dexie";
import { newSession } from "../session-store.ts";
import type { MessageRow, SessionRow } from "../tables.ts";
import type { Migration } from "./migrations.ts";

const OF_SESSION = "[owner+sessionId]";
const IN_SESSION = "[owner+sessionId+position], &[owner+sessionId+id]";

/** Session data other than messages. */
export const sessions: Migration = {
  version: 3,
  stores: {
    sessions: OF_SESSION,
    states: OF_SESSION,
    marks: "[owner+sessionId+partId]",
    compactions: IN_SESSION,
    receipts: IN_SESSION,
  },
  upgrade: countMessages,
};

/** Creates the session rows of existing messages. */
async function countMessages(tx: Transaction): Promise<void> {
  const found = new Map<string, SessionRow>();
  await tx.table<MessageRow>("messages").each(({ owner: userId, sessionId, message: { createdAt } }) => {
    const name = JSON.stringify([userId, sessionId]);
    const known = found.get(name) ?? newSession({ userId, sessionId }, createdAt);
    found.set(name, {
      ...known,
      appended: known.appended + 1,
      createdAt: Math.min(known.createdAt, createdAt),
      updatedAt: Math.max(known.updatedAt, createdAt),
    });
  });
  await tx.table<SessionRow>("sessions").bulkAdd([...found.values()]);
}
