import { omitUndefined, sameJson } from "../../internal/json.ts";
import type { ChatFact } from "../../memory/facts/fact-rules.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Schedule } from "../schedule.ts";
import type { FactBookState, PendingClear } from "./fact-book.ts";
import { readClearedAt, readTombstone, type StoredText, type Tombstone, writeTombstone } from "./removals.ts";

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
