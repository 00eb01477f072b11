import { StoreError } from "../../errors/store-errors.ts";
import { isRecord, numberField, recordField, tryParseJson } from "../../internal/json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { MemoryFact } from "../memory-fact.ts";
import type { Schedule } from "../schedule.ts";
import type { Removal } from "./fact-book.ts";

/** Undo time of a deletion in milliseconds. */
const UNDO_TIME = 4_000;

interface TimedRemoval {
  removal: Removal;
  /** Start of the current countdown. */
  since: number;
  cancel: (() => void) | undefined;
}

interface RemovalPorts {
  readonly clock: Clock;
  readonly schedule: Schedule;
  /** Called when the undo time of a removal is over. */
  readonly changed: () => void;
}

/** Removals that can be undone, each with a countdown that can be paused. */
export class Removals {
  readonly #ports: RemovalPorts;
  readonly #pending = new Map<string, TimedRemoval>();
  #count = 0;

  constructor(ports: RemovalPorts) {
    this.#ports = ports;
  }

  list(): readonly Removal[] {
    return [...this.#pending.values()].map(({ removal }) => removal);
  }

  get(id: string): Removal | undefined {
    return this.#pending.get(id)?.removal;
  }

  start(facts: readonly MemoryFact[]): Removal {
    this.#count += 1;
    const removal = { id: `removal-${this.#count}`, facts, remaining: UNDO_TIME, isPaused: false };
    const pending = { removal, since: this.#ports.clock.now(), cancel: undefined };
    this.#pending.set(removal.id, pending);
    this.#run(pending);
    return removal;
  }

  pause(id: string): void {
    const pending = this.#pending.get(id);
    if (pending === undefined || pending.removal.isPaused) return;
    pending.cancel?.();
    const { removal, since } = pending;
    const remaining = Math.max(0, removal.remaining - (this.#ports.clock.now() - since));
    pending.removal = { ...removal, remaining, isPaused: true };
  }

  resume(id: string): void {
    const pending = this.#pending.get(id);
    if (pending === undefined || !pending.removal.isPaused) return;
    pending.removal = { ...pending.removal, isPaused: false };
    pending.since = this.#ports.clock.now();
    this.#run(pending);
  }

  /** Keeps only the facts that are still deleted. Ends a removal without facts. */
  keep(id: string, isDeleted: (fact: MemoryFact) => boolean): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    const facts = pending.removal.facts.filter(isDeleted);
    if (facts.length === 0) this.end(id);
    else pending.removal = { ...pending.removal, facts };
  }

  end(id: string): void {
    this.#pending.get(id)?.cancel?.();
    this.#pending.delete(id);
  }

  endAll(): void {
    for (const id of [...this.#pending.keys()]) this.end(id);
  }

  #run(pending: TimedRemoval): void {
    const { id, remaining } = pending.removal;
    pending.cancel = this.#ports.schedule(remaining, () => {
      this.#pending.delete(id);
      this.#ports.changed();
    });
  }
}

/**
 * Synchronous, durable storage for a short text, such as `localStorage`. A clear is stored here before it becomes
 * visible.
 */
export interface StoredText {
  /** Returns the stored text; `undefined` if there is none. */
  read(): string | undefined;
  /**
   * Stores the text.
   *
   * @param text Text to store; `undefined` removes it.
   */
  write(text: string | undefined): void;
}

/** A pending clear with its start and the end of its undo time. */
export interface Tombstone {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endsAt: number;
  /** Id of each fact to erase → its last mention. */
  readonly facts: Readonly<Record<string, number>>;
}

/** Reads the tombstone; `undefined` if there is none or it is invalid. */
export function readTombstone(stored: StoredText): Tombstone | undefined {
  const value = tryParseJson(readText(stored) ?? "")?.value;
  if (!isRecord(value)) return undefined;
  const [count, startedAt, endsAt] = [
    numberField(value, "count"),
    numberField(value, "startedAt"),
    numberField(value, "endsAt"),
  ];
  const facts = recordField(value, "facts");
  if (count === undefined || startedAt === undefined || endsAt === undefined || facts === undefined) return undefined;
  const times = Object.entries(facts).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return { count, startedAt, endsAt, facts: Object.fromEntries(times) };
}

/** Time of the last completed clear in milliseconds since 1970. Stays stored without a tombstone. */
export function readClearedAt(stored: StoredText): number | undefined {
  const value = tryParseJson(readText(stored) ?? "")?.value;
  return isRecord(value) ? numberField(value, "clearedAt") : undefined;
}

/** @throws StoreError if it cannot be stored. */
export function writeTombstone(
  stored: StoredText,
  tombstone: Tombstone | undefined,
  clearedAt: number | undefined,
): void {
  const isNothing = tombstone === undefined && clearedAt === undefined;
  try {
    stored.write(isNothing ? undefined : JSON.stringify({ ...tombstone, clearedAt }));
  } catch (cause) {
    throw new StoreError("unavailable", "Could not store the pending clear, so nothing was cleared.", { cause });
  }
}

/** A storage that throws counts as empty. */
function readText(stored: StoredText): string | undefined {
  try {
    return stored.read();
  } catch {
    return undefined;
  }
}
