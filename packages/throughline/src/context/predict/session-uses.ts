import { arrayField, isRecord } from "../../internal/json.ts";
import type { DocumentStore } from "../../ports/store.ts";
import { changeDocument } from "../change-document.ts";

export interface SessionUse {
  readonly id: string;
  /** Times of its first and last event, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Files in the order of their first use. */
  readonly files: readonly string[];
  /** Files that it used last, the newest at the end. */
  readonly last: readonly string[];
  /** Signals of the session, each with the number of files used before it. */
  readonly signals: readonly (readonly [signal: string, before: number])[];
  /** Ids of memories that were useful. */
  readonly memories: readonly string[];
}

/** Normalized event of a session. */
export interface SessionNews {
  readonly sessionId: string;
  readonly at: number;
  readonly file?: string;
  readonly signals: readonly string[];
  readonly memories: readonly string[];
}

/** Number of documents that sessions are divided into, so that an event rewrites little data. */
const SHARDS = 16;

const PREFIX = "predict/sessions/";

interface Shard {
  readonly revision: number;
  readonly sessions: readonly SessionUse[];
}

/** Uses of one user's sessions in one project, stored in private documents. */
export class SessionUses {
  readonly #documents: DocumentStore;
  readonly #space: string;
  readonly #prefix: string;
  #shards: readonly Shard[] = Array.from({ length: SHARDS }, () => ({ revision: -1, sessions: [] }));

  constructor(documents: DocumentStore, space: string, projectId = "") {
    this.#documents = documents;
    this.#space = space;
    this.#prefix = `${PREFIX}${projectId}/`;
  }

  get sessions(): readonly SessionUse[] {
    return this.#shards.flatMap(({ sessions }) => sessions);
  }

  find(sessionId: string): SessionUse | undefined {
    return this.#shards[shardOf(sessionId)]?.sessions.find(({ id }) => id === sessionId);
  }

  /** Reads the stored sessions. Returns true if they have changed. */
  async refresh(): Promise<boolean> {
    const known = this.#shards;
    this.#shards = await Promise.all(
      known.map(async (shard, at) => {
        const { revision, value } = (await this.#documents.get(this.#space, this.#nameOf(at))) ?? {
          revision: 0,
          value: undefined,
        };
        return revision === shard.revision ? shard : { revision, sessions: readSessions(value) };
      }),
    );
    return this.#shards.some((shard, at) => shard !== known[at]);
  }

  /** Stores an event. `isAlone` is true if nothing else changed: no concurrent write and no dropped session. */
  async note(news: SessionNews): Promise<{ readonly isAlone: boolean }> {
    return this.#change(shardOf(news.sessionId), (sessions) => noteNews(sessions, news));
  }

  /** Removes a session from all projects. */
  async forget(sessionId: string): Promise<void> {
    const at = shardOf(sessionId);
    const without = (sessions: readonly SessionUse[]) => {
      const others = sessions.filter(({ id }) => id !== sessionId);
      return others.length === sessions.length ? undefined : others;
    };
    await this.#change(at, without);
    const [documents, space] = [this.#documents, this.#space];
    for (const name of await documents.list(space, PREFIX)) {
      if (name === this.#nameOf(at) || !name.endsWith(`/${numberOf(at)}`)) continue;
      await changeDocument({ documents, space, name }, (value) => {
        const others = without(readSessions(value));
        return others && writeSessions(others);
      });
    }
  }

  async #change(
    at: number,
    change: (sessions: readonly SessionUse[]) => readonly SessionUse[] | undefined,
  ): Promise<{ readonly isAlone: boolean }> {
    const known = this.#shards[at];
    let before: readonly SessionUse[] = [];
    let after: readonly SessionUse[] | undefined;
    const place = { documents: this.#documents, space: this.#space, name: this.#nameOf(at) };
    const changed = await changeDocument(place, (value) => {
      before = readSessions(value);
      after = change(before);
      return after && writeSessions(after);
    });
    if (changed === undefined || after === undefined) return { isAlone: false };
    const shard = { revision: changed.document.revision, sessions: after };
    this.#shards = this.#shards.map((one, place) => (place === at ? shard : one));
    return { isAlone: changed.before === known?.revision && after.length >= before.length };
  }

  #nameOf(at: number): string {
    return this.#prefix + numberOf(at);
  }
}

function numberOf(at: number): string {
  return String(at).padStart(2, "0");
}

const MAX_SESSIONS = 24;
const MAX_FILES = 200;
const MAX_LAST = 12;
const MAX_SIGNALS = 60;
const MAX_MEMORIES = 100;
const MAX_ID_LENGTH = 200;

/** Number of the document that contains a session. */
function shardOf(sessionId: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < sessionId.length; at += 1) hash = Math.imul(hash ^ sessionId.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % SHARDS;
}

/** Session id, limited in length. */
export function sessionName(sessionId: string): string {
  return sessionId.slice(0, MAX_ID_LENGTH);
}

/** Adds an event to the sessions. If there are too many, the one inactive for the longest time is dropped. */
export function noteNews(sessions: readonly SessionUse[], news: SessionNews): readonly SessionUse[] {
  const known = sessions.find(({ id }) => id === news.sessionId);
  const others = sessions.filter((one) => one !== known);
  const noted = addNews(
    known ?? { id: news.sessionId, from: news.at, to: news.at, files: [], last: [], signals: [], memories: [] },
    news,
  );
  return [...others, noted].sort((a, b) => a.to - b.to || (a.id < b.id ? -1 : 1)).slice(-MAX_SESSIONS);
}

function addNews(session: SessionUse, { at, file, signals, memories }: SessionNews): SessionUse {
  const isNew = file !== undefined && !session.files.includes(file) && session.files.length < MAX_FILES;
  const files = isNew ? [...session.files, file] : session.files;
  const known = new Set(session.signals.map(([signal]) => signal));
  const fresh = signals.filter((signal) => !known.has(signal));
  return {
    id: session.id,
    from: Math.min(session.from, at),
    to: Math.max(session.to, at),
    files,
    last: file === undefined ? session.last : [...session.last.filter((one) => one !== file), file].slice(-MAX_LAST),
    signals: [...session.signals, ...fresh.map((signal) => [signal, Math.max(0, files.length - 1)] as const)].slice(
      -MAX_SIGNALS,
    ),
    memories: [...new Set([...session.memories, ...memories])].slice(-MAX_MEMORIES),
  };
}

/** Sessions as plain data, with each path once. */
export function writeSessions(sessions: readonly SessionUse[]): unknown {
  const numbers = new Map<string, number>();
  const numberOf = (file: string): number => {
    const known = numbers.get(file) ?? numbers.size;
    numbers.set(file, known);
    return known;
  };
  const rows = sessions.map(({ id, from, to, files, signals, memories, last }) => [
    id,
    from,
    to,
    files.map(numberOf),
    signals,
    memories,
    last.map(numberOf),
  ]);
  return { version: 1, files: [...numbers.keys()], sessions: rows };
}

/** Reads stored sessions. Invalid ones are left out. */
export function readSessions(value: unknown): readonly SessionUse[] {
  if (!isRecord(value) || value.version !== 1) return [];
  const files = (arrayField(value, "files") ?? []).map(String);
  return (arrayField(value, "sessions") ?? []).flatMap((row): SessionUse[] => {
    if (!Array.isArray(row)) return [];
    const [id, from, to, own, signals, memories, last] = row as readonly unknown[];
    if (typeof id !== "string" || !Array.isArray(own) || !Array.isArray(signals) || !Array.isArray(memories)) return [];
    const named = (numbers: readonly unknown[]) => numbers.flatMap((file) => files[Number(file)] ?? []);
    return [
      {
        id,
        from: Number(from),
        to: Number(to),
        files: named(own),
        // Older documents do not have the last files.
        last: named(Array.isArray(last) ? last : own.slice(-MAX_LAST)),
        signals: signals.map(([signal, before]) => [String(signal), Number(before)] as const),
        memories: memories.map(String),
      },
    ];
  });
}
