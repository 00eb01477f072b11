import { lostAttempts } from "../../../errors/lost-attempts.ts";
import type { DocumentStore, StoredDocument } from "../../../ports/document-store.ts";
import {
  noteNews,
  readSessions,
  type SessionNews,
  type SessionUse,
  SHARDS,
  shardOf,
  writeSessions,
} from "./session-use.ts";

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

/** Maximum number of attempts. Each fails only if a concurrent write was faster. */
const MAX_TRIES = 100;

/** Location of a document. */
interface DocumentPlace {
  readonly documents: DocumentStore;
  readonly space: string;
  readonly name: string;
}

interface Changed {
  /** Revision before the change. */
  readonly before: number;
  readonly document: StoredDocument;
}

/**
 * Changes a document with optimistic locking: if another process wrote in between, the change is applied to the new
 * value. Nothing is written if `change` returns undefined.
 */
export async function changeDocument(
  { documents, space, name }: DocumentPlace,
  change: (value: unknown) => unknown,
): Promise<Changed | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { revision, value } = (await documents.get(space, name)) ?? { revision: 0, value: undefined };
    const changed = change(value);
    if (changed === undefined) return undefined;
    if (await documents.put(space, name, { revision, value: changed })) {
      return { before: revision, document: { revision: revision + 1, value: changed } };
    }
  }
  throw lostAttempts(`update document ${name}`, MAX_TRIES);
}
