import { StoreError } from "../../errors/store-errors.ts";
import { isRecord, numberField, omitUndefined, recordField, sameJson, tryParseJson } from "../../internal/json.ts";
import type { ChatFact } from "../../memory/facts/fact-rules.ts";
import type { Clock } from "../../ports/clock.ts";
import type { MemoryFact } from "../memory-fact.ts";
import type { Schedule } from "../schedule.ts";
import type { FactBookState, PendingClear, Removal } from "./fact-book.ts";

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
interface Tombstone {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endsAt: number;
  /** Id of each fact to erase → its last mention. */
  readonly facts: Readonly<Record<string, number>>;
}

/** Reads the tombstone; `undefined` if there is none or it is invalid. */
function readTombstone(stored: StoredText): Tombstone | undefined {
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
function readClearedAt(stored: StoredText): number | undefined {
  const value = tryParseJson(readText(stored) ?? "")?.value;
  return isRecord(value) ? numberField(value, "clearedAt") : undefined;
}

/** @throws StoreError if it cannot be stored. */
function writeTombstone(stored: StoredText, tombstone: Tombstone | undefined, clearedAt: number | undefined): void {
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

/** Undo time of a clear in milliseconds. */
const CLEAR_TIME = 8_000;

interface ClearingPorts {
  readonly stored: StoredText;
  readonly clock: Clock;
  readonly schedule: Schedule;
  /** Called when the undo time is over. */
  readonly due: () => void;
}

/**
 * A pending clear of all facts. The stored tombstone is authoritative for all tabs. Facts that are mentioned or added
 * after the clear are not erased.
 */
export class Clearing {
  readonly #ports: ClearingPorts;
  #tombstone: Tombstone | undefined;
  /** Time of the last completed clear. */
  #erasedAt: number | undefined;
  #cancel: (() => void) | undefined;

  constructor(ports: ClearingPorts) {
    this.#ports = ports;
  }

  /** The pending clear while it can be undone. */
  get pending(): PendingClear | undefined {
    if (this.#tombstone === undefined || this.isDue) return undefined;
    const { count, startedAt, endsAt } = this.#tombstone;
    return { count, startedAt, endsAt };
  }

  /** Fields of the panel state. */
  get state(): Pick<FactBookState, "clearing" | "clearedAt"> {
    return omitUndefined({ clearing: this.pending, clearedAt: this.#tombstone?.startedAt ?? this.#erasedAt });
  }

  /** True if there are facts to erase and the undo time is over. */
  get isDue(): boolean {
    return this.#tombstone !== undefined && this.#ports.clock.now() >= this.#tombstone.endsAt;
  }

  includes({ id, lastSeenAt }: ChatFact): boolean {
    if (this.#tombstone === undefined) return false;
    const { facts, startedAt } = this.#tombstone;
    const seen = Object.hasOwn(facts, id) ? facts[id] : undefined;
    return seen !== undefined && lastSeenAt <= Math.max(seen, startedAt);
  }

  /** Reads the stored tombstone. */
  sync(): void {
    const found = readTombstone(this.#ports.stored);
    this.#erasedAt = readClearedAt(this.#ports.stored);
    // A clock that was set back must not extend the undo time.
    const isKnown = found?.startedAt === this.#tombstone?.startedAt;
    const latest = (isKnown ? this.#tombstone?.endsAt : undefined) ?? this.#ports.clock.now() + CLEAR_TIME;
    const tombstone = found === undefined ? undefined : { ...found, endsAt: Math.min(found.endsAt, latest) };
    if (!sameJson(tombstone, this.#tombstone)) this.#set(tombstone);
  }

  /** Starts a clear and stores it first. Includes a clear that is already pending, with the new undo time. */
  begin(facts: readonly ChatFact[], count: number): void {
    const startedAt = this.#ports.clock.now();
    const named = Object.fromEntries(facts.map(({ id, lastSeenAt }) => [id, lastSeenAt]));
    const before = this.pending === undefined ? undefined : this.#tombstone;
    this.#write({
      count: count + (before?.count ?? 0),
      startedAt,
      endsAt: startedAt + CLEAR_TIME,
      facts: { ...before?.facts, ...named },
    });
  }

  /** Excludes a fact that was mentioned again. */
  exclude(id: string): void {
    if (this.#tombstone === undefined || !Object.hasOwn(this.#tombstone.facts, id)) return;
    const { [id]: _, ...facts } = this.#tombstone.facts;
    this.#write({ ...this.#tombstone, facts });
  }

  /** Undoes the clear; `false` if there is nothing to undo. */
  undo(): boolean {
    this.sync();
    if (this.pending === undefined) return false;
    this.#write(undefined);
    return true;
  }

  /** Marks the clear as completed. */
  finish(): void {
    this.#erasedAt = this.#tombstone?.startedAt ?? this.#erasedAt;
    this.#write(undefined);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #write(tombstone: Tombstone | undefined): void {
    writeTombstone(this.#ports.stored, tombstone, this.#erasedAt);
    this.#set(tombstone);
  }

  #set(tombstone: Tombstone | undefined): void {
    this.stop();
    this.#tombstone = tombstone;
    if (this.pending !== undefined) this.#wait(this.pending.endsAt);
  }

  #wait(endsAt: number): void {
    const { clock, schedule, due } = this.#ports;
    this.#cancel = schedule(Math.max(0, endsAt - clock.now()), () => {
      // Timers may fire early.
      if (clock.now() < endsAt) this.#wait(endsAt);
      else due();
    });
  }
}
