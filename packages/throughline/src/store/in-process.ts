import { StoreError } from "../errors/store-errors.ts";
import type { Message } from "../message/message.ts";
import { type Clock, SYSTEM_CLOCK } from "../ports/clock.ts";
import type {
  Commit,
  DocumentStore,
  MessageLog,
  SessionHead,
  SessionKey,
  SessionNotifications,
  SessionStore,
  SessionSummary,
  Store,
  StoredCompaction,
  StoredDocument,
  StoredReceipt,
} from "../ports/store.ts";
import { frozenCopy } from "./frozen-copy.ts";
import { inProcessBlobs, inProcessMemories } from "./in-process-memories.ts";
import { type MemorySpace, OrderedMap } from "./memory-space.ts";

interface StoredSession {
  readonly key: SessionKey;
  readonly createdAt: number;
  updatedAt: number;
  readonly messages: Message[];
  /** Position of each message, by its id. */
  readonly positions: Map<string, number>;
  /** Position of the message of each part, by the part's id. */
  readonly parts: Map<string, number>;
  readonly marks: Map<string, number>;
  readonly compactions: StoredCompaction[];
  readonly receipts: StoredReceipt[];
  revision: number;
  state: unknown;
  lease: { readonly holder: string; readonly until: number } | undefined;
}

/**
 * Stores sessions and memories in memory, until the process ends.
 *
 * @param clock Source of the current time. Default: the system clock.
 *
 * @example
 * const tl = await createThroughline({ store: inProcessStore() });
 */
export function inProcessStore(clock: Clock = SYSTEM_CLOCK): Store {
  const data = new StoredData(clock);
  return {
    messages: messageLog(data),
    sessions: sessionLog(data),
    memories: inProcessMemories(clock, () => data.spaces),
    documents: inProcessDocuments(() => data.documents),
    blobs: inProcessBlobs(() => data.spaces),
    notifications: sessionNotifications(data),
    close: async () => data.close(),
  };
}

/** All stored data. Sessions without writes have no entry. */
class StoredData {
  readonly clock: Clock;
  readonly #sessions = new Map<string, StoredSession>();
  readonly #listeners = new Map<string, Set<(notification: unknown) => void>>();
  readonly #spaces = new OrderedMap<MemorySpace>();
  readonly #documents = new OrderedMap<DocumentSpace>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get sessions(): Map<string, StoredSession> {
    this.#refuseClosed();
    return this.#sessions;
  }

  get listeners(): Map<string, Set<(notification: unknown) => void>> {
    this.#refuseClosed();
    return this.#listeners;
  }

  get spaces(): OrderedMap<MemorySpace> {
    this.#refuseClosed();
    return this.#spaces;
  }

  get documents(): OrderedMap<DocumentSpace> {
    this.#refuseClosed();
    return this.#documents;
  }

  find(key: SessionKey): StoredSession | undefined {
    return this.sessions.get(nameOf(key));
  }

  open(key: SessionKey): StoredSession {
    const now = this.clock.now();
    const session = this.find(key) ?? {
      key,
      createdAt: now,
      updatedAt: now,
      messages: [],
      positions: new Map(),
      parts: new Map(),
      marks: new Map(),
      compactions: [],
      receipts: [],
      revision: 0,
      state: undefined,
      lease: undefined,
    };
    this.sessions.set(nameOf(key), session);
    return session;
  }

  close(): void {
    this.#isClosed = true;
    this.#sessions.clear();
    this.#listeners.clear();
    this.#spaces.clear();
    this.#documents.clear();
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new StoreError("closed", "The store is closed.");
  }
}

function nameOf({ userId, sessionId }: SessionKey): string {
  return JSON.stringify([userId, sessionId]);
}

function messageLog(data: StoredData): MessageLog {
  const at = (session: StoredSession | undefined, positions: readonly number[]) =>
    positions.toSorted((a, b) => a - b).flatMap((position) => session?.messages[position] ?? []);
  return {
    async append(key, position, messages) {
      if ((data.find(key)?.messages.length ?? 0) !== position) return false;
      refuseTaken(data.find(key), messages);
      if (messages.length === 0) return true;
      const session = data.open(key);
      for (const message of messages) {
        session.positions.set(message.id, session.messages.length);
        for (const part of message.parts) session.parts.set(part.id, session.messages.length);
        session.messages.push(message);
      }
      session.updatedAt = data.clock.now();
      return true;
    },
    async get(key, ids) {
      const session = data.find(key);
      return at(
        session,
        [...new Set(ids)].flatMap((id) => session?.positions.get(id) ?? []),
      );
    },
    async list(key, filter = {}) {
      const session = data.find(key);
      if ("parts" in filter) {
        const positions = filter.parts.flatMap((part) => session?.parts.get(part) ?? []);
        return at(session, [...new Set(positions)]);
      }
      const { from = 0, limit = Number.POSITIVE_INFINITY } = filter;
      return session?.messages.slice(from, from + limit) ?? [];
    },
    async taken(key, ids) {
      const session = data.find(key);
      return {
        messages: ids.messages.filter((id) => session?.positions.has(id)),
        parts: ids.parts.filter((id) => session?.parts.has(id)),
      };
    },
    async marks(key) {
      return new Map(data.find(key)?.marks);
    },
  };
}

function refuseTaken(session: StoredSession | undefined, messages: readonly Message[]): void {
  refuseTwice("message", messages, session?.positions);
  refuseTwice(
    "part",
    messages.flatMap(({ parts }) => parts),
    session?.parts,
  );
}

interface Identified {
  readonly id: string;
}

function refuseTwice(kind: string, fresh: readonly Identified[], taken: Pick<Set<string>, "has"> = new Set()): void {
  const seen = new Set<string>();
  for (const { id } of fresh) {
    if (taken.has(id) || seen.has(id))
      throw new StoreError("duplicate-id", `Duplicate id of a ${kind}: ${JSON.stringify(id)}.`);
    seen.add(id);
  }
}

function sessionLog(data: StoredData): SessionStore {
  return {
    async head(key) {
      return headOf(data.find(key), data.clock.now());
    },
    async state(key) {
      return data.find(key)?.state;
    },
    async commit(key, commit) {
      if ((data.find(key)?.revision ?? 0) !== commit.revision) return false;
      refuseCommitted(data.find(key), commit);
      write(data.open(key), commit, data.clock.now());
      return true;
    },
    async compactions(key, ids) {
      const all = data.find(key)?.compactions ?? [];
      return ids === undefined ? [...all] : all.filter(({ id }) => ids.includes(id));
    },
    async receipts(key, limit) {
      const all = data.find(key)?.receipts ?? [];
      return limit === undefined ? [...all] : all.slice(Math.max(0, all.length - limit));
    },
    async lease(key, holder, milliseconds) {
      if (!(milliseconds > 0)) {
        const session = data.find(key);
        if (session?.lease?.holder === holder) session.lease = undefined;
        return false;
      }
      const session = data.open(key);
      const now = data.clock.now();
      if (session.lease !== undefined && session.lease.holder !== holder && session.lease.until > now) return false;
      session.lease = { holder, until: now + milliseconds };
      return true;
    },
    async list(owner, { after, limit } = {}) {
      const own = [...data.sessions.values()].filter((session) => session.key.userId === owner);
      const behind = own.filter((session) => after === undefined || session.key.sessionId > after);
      const sorted = behind.sort((a, b) => (a.key.sessionId < b.key.sessionId ? -1 : 1));
      return sorted.slice(0, limit).map((session) => summaryOf(session, data.clock.now()));
    },
    async purge(key) {
      data.sessions.delete(nameOf(key));
    },
  };
}

function refuseCommitted(session: StoredSession | undefined, { compactions = [], receipts = [] }: Commit): void {
  const idsOf = (list: readonly Identified[] = []) => new Set(list.map(({ id }) => id));
  refuseTwice("compaction", compactions, idsOf(session?.compactions));
  refuseTwice("receipt", receipts, idsOf(session?.receipts));
}

function write(session: StoredSession, commit: Commit, now: number): void {
  const { compactions = [], receipts = [], marks = new Map<string, number>() } = commit;
  session.revision += 1;
  if (commit.state !== undefined) session.state = commit.state;
  session.compactions.push(...compactions);
  session.receipts.push(...receipts);
  for (const [part, at] of marks) if (session.parts.has(part)) session.marks.set(part, at);
  session.updatedAt = now;
}

function headOf(session: StoredSession | undefined, now: number): SessionHead {
  return {
    appended: session?.messages.length ?? 0,
    revision: session?.revision ?? 0,
    compactions: session?.compactions.length ?? 0,
    receipts: session?.receipts.length ?? 0,
    lastCompactionAt: session?.compactions.at(-1)?.createdAt,
    isCompacting: session?.lease !== undefined && session.lease.until > now,
  };
}

function summaryOf(session: StoredSession, now: number): SessionSummary {
  const { key, createdAt, updatedAt } = session;
  return { sessionId: key.sessionId, createdAt, updatedAt, ...headOf(session, now) };
}

function sessionNotifications(data: StoredData): SessionNotifications {
  return {
    async publish(key, notification) {
      for (const listener of data.listeners.get(nameOf(key)) ?? []) listener(notification);
    },
    async subscribe(key, listener) {
      const listeners = data.listeners.get(nameOf(key)) ?? new Set();
      data.listeners.set(nameOf(key), listeners.add(listener));
      return async () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Documents of one space, by their names. */
type DocumentSpace = Map<string, StoredDocument>;

/** Documents in the process. `spaces` returns the stored spaces, and throws if the store is closed. */
function inProcessDocuments(spaces: () => OrderedMap<DocumentSpace>): DocumentStore {
  const namesOf = (space: string, prefix: string) =>
    [...(spaces().get(space)?.keys() ?? [])].filter((name) => name.startsWith(prefix)).sort();
  return {
    async get(space, name) {
      return spaces().get(space)?.get(name);
    },
    async put(space, name, { revision, value }) {
      const documents = spaces().get(space) ?? new Map<string, StoredDocument>();
      if ((documents.get(name)?.revision ?? 0) !== revision) return false;
      documents.set(name, frozenCopy({ revision: revision + 1, value }));
      spaces().set(space, documents);
      return true;
    },
    async list(space, prefix = "") {
      return namesOf(space, prefix);
    },
    async delete(space, name) {
      const erased = typeof name === "string" ? [name] : namesOf(space, name.prefix);
      for (const one of erased) spaces().get(space)?.delete(one);
    },
  };
}
