import type { StoredText } from "throughline/chat";

/** Time in which a deletion can be undone, in milliseconds. */
const UNDO_TIME = 8_000;

/** A conversation that is deleted after its undo time. */
export interface PendingRemoval {
  readonly conversationId: string;
  readonly title: string;
  readonly alsoMemories: boolean;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

interface RemovalPorts {
  readonly stored: StoredText;
  readonly now: () => number;
  readonly schedule: (milliseconds: number, run: () => void) => () => void;
  /** Called when the undo time of a removal is over. */
  readonly due: () => void;
}

/**
 * Conversations that are being deleted. Stored at once, so that closing the tab changes nothing: the next tab deletes
 * them.
 */
export class PendingRemovals {
  readonly #ports: RemovalPorts;
  #cancel: () => void = () => undefined;
  /** Removals that could not be stored. Only this tab can delete them. */
  #unkept: readonly PendingRemoval[] | undefined;

  constructor(ports: RemovalPorts) {
    this.#ports = ports;
  }

  /** Stored removals of all tabs. */
  list(): readonly PendingRemoval[] {
    if (this.#unkept !== undefined) return this.#unkept;
    try {
      const stored: unknown = JSON.parse(this.#ports.stored.read() ?? "[]");
      return Array.isArray(stored) ? stored.filter(isRemoval) : [];
    } catch {
      return [];
    }
  }

  add(removal: Omit<PendingRemoval, "endsAt">): void {
    const others = this.list().filter(({ conversationId }) => conversationId !== removal.conversationId);
    this.#write([...others, { ...removal, endsAt: this.#ports.now() + UNDO_TIME }]);
  }

  /** Removes and returns an entry; `undefined` if there is none. */
  take(conversationId: string): PendingRemoval | undefined {
    const found = this.list().find((one) => one.conversationId === conversationId);
    if (found !== undefined) this.#write(this.list().filter((one) => one.conversationId !== conversationId));
    return found;
  }

  /** Removals whose undo time is over. */
  due(): readonly PendingRemoval[] {
    return this.list().filter(({ endsAt }) => endsAt <= this.#ports.now());
  }

  /** Schedules the next removal. */
  wait(): void {
    this.#cancel();
    const next = Math.min(...this.list().map(({ endsAt }) => endsAt));
    if (!Number.isFinite(next)) return;
    // A clock that was set back must not delay the deletion forever.
    const left = Math.min(UNDO_TIME, Math.max(0, next - this.#ports.now()));
    this.#cancel = this.#ports.schedule(left, this.#ports.due);
  }

  #write(removals: readonly PendingRemoval[]): void {
    try {
      this.#ports.stored.write(removals.length === 0 ? undefined : JSON.stringify(removals));
      this.#unkept = undefined;
    } catch {
      this.#unkept = removals;
    }
    this.wait();
  }
}

function isRemoval(value: unknown): value is PendingRemoval {
  const { conversationId, endsAt } = (value ?? {}) as Partial<PendingRemoval>;
  return typeof conversationId === "string" && typeof endsAt === "number";
}
