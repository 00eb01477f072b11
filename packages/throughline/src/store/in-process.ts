import type { Message } from "../message/message.ts";
import type { Lease, Store, StoredRecord } from "../ports/store.ts";

interface StoredSession {
  readonly messages: Message[];
  readonly records: StoredRecord[];
  state: unknown;
}

/** Keeps sessions in memory, for as long as the process lives. */
export function inProcessStore(): Store {
  const sessions = new Map<string, StoredSession>();
  const leases = new Map<string, Lease>();
  const session = (id: string): StoredSession => {
    const found = sessions.get(id) ?? { messages: [], records: [], state: undefined };
    sessions.set(id, found);
    return found;
  };
  return {
    async append(sessionId, messages, state) {
      const found = session(sessionId);
      for (const message of messages) found.messages.push(message);
      found.state = state;
    },
    async history(sessionId) {
      return [...session(sessionId).messages];
    },
    async loadState(sessionId) {
      return session(sessionId).state;
    },
    async saveState(sessionId, state) {
      session(sessionId).state = state;
    },
    async addRecord(sessionId, record) {
      session(sessionId).records.push(record);
    },
    async records(sessionId, kind) {
      return session(sessionId).records.filter((record) => record.kind === kind);
    },
    async acquire(lease, now) {
      const held = leases.get(lease.name);
      if (held !== undefined && held.holder !== lease.holder && held.expiresAt > now) return false;
      leases.set(lease.name, lease);
      return true;
    },
    async release({ name, holder }) {
      if (leases.get(name)?.holder === holder) leases.delete(name);
    },
    async close() {
      sessions.clear();
      leases.clear();
    },
  };
}
