import type { Session } from "./session.ts";

/** Sessions that are held at a time; the one that was not asked for longest goes first, and is read again when it is. */
const MAX_HELD = 500;

interface Opened {
  readonly session: Session;
  readonly settings: object;
}

/** The sessions that were opened, and how: who asks in the same way gets the same one. */
export class OpenedSessions {
  /** In the order in which they were last asked for. */
  readonly #sessions = new Map<string, Opened>();

  /** The session as it was opened; nothing where other settings are wanted. */
  find(id: string, settings: object | undefined): Session | undefined {
    const known = this.#sessions.get(id);
    if (known === undefined || (settings !== undefined && !areSame(settings, known.settings))) return undefined;
    this.#sessions.delete(id);
    this.#sessions.set(id, known);
    return known.session;
  }

  keep(session: Session, settings: object = {}): void {
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, { session, settings });
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_HELD && oldest !== undefined) this.#sessions.delete(oldest);
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
