import { Lru } from "../internal/lru.ts";
import type { Session } from "./session.ts";

/** Maximum number of cached sessions. The least recently used one is evicted, and loaded again on demand. */
const MAX_CACHED = 500;

interface Opened {
  readonly session: Session;
  readonly settings: object;
}

/** LRU cache of opened sessions with their settings. */
export class OpenedSessions {
  readonly #sessions = new Lru<string, Opened>({ maxSize: MAX_CACHED });

  /** Returns the cached session; `undefined` if there is none or `settings` differ from its own. */
  find(id: string, settings: object | undefined): Session | undefined {
    const known = this.#sessions.get(id);
    if (known === undefined || (settings !== undefined && !areSame(settings, known.settings))) return undefined;
    return known.session;
  }

  keep(session: Session, settings: object = {}): void {
    this.#sessions.set(session.id, { session, settings });
  }

  drop(id: string): void {
    this.#sessions.delete(id);
  }

  clear(): void {
    this.#sessions.clear();
  }
}

function areSame(a: object, b: object): boolean {
  const [ours, theirs] = [Object.entries(a), new Map(Object.entries(b))];
  return ours.length === theirs.size && ours.every(([name, value]) => Object.is(theirs.get(name), value));
}
