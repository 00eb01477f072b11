import { Lru } from "../internal/lru.ts";
import type { Session } from "./session.ts";

/** Sessions that are held at a time; the one that was not asked for longest goes first, and is read again when it is. */
const MAX_HELD = 500;

interface Opened {
  readonly session: Session;
  readonly settings: object;
}

/** The sessions that were opened, and how: who asks in the same way gets the same one. */
export class OpenedSessions {
  readonly #sessions = new Lru<string, Opened>({ maxSize: MAX_HELD });

  /** The session as it was opened; nothing where other settings are wanted. */
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
