import { omitUndefined, sameJson } from "../../internal/json.ts";
import type { ChatFact } from "../../memory/facts/fact-rules.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Schedule } from "../schedule.ts";
import type { FactBookState, PendingClear } from "./fact-book.ts";
import { readClearedAt, readTombstone, type Tombstone, type TombstoneKeep, writeTombstone } from "./tombstone.ts";

/** Milliseconds for which a clearing can be undone. */
const CLEAR_TIME = 8_000;

interface ClearingPorts {
  readonly keep: TombstoneKeep;
  readonly clock: Clock;
  readonly schedule: Schedule;
  /** Told when the time is over. */
  readonly due: () => void;
}

/**
 * What is being cleared. The keep has the word: whichever tab wrote it, all go by it. What is said again after the
 * clearing is not erased by it, and what was added since is not named there.
 */
export class Clearing {
  readonly #ports: ClearingPorts;
  #tombstone: Tombstone | undefined;
  /** When everything was erased last. */
  #erasedAt: number | undefined;
  #cancel: (() => void) | undefined;

  constructor(ports: ClearingPorts) {
    this.#ports = ports;
  }

  /** While it can be undone. */
  get pending(): PendingClear | undefined {
    if (this.#tombstone === undefined || this.isDue) return undefined;
    const { count, startedAt, endsAt } = this.#tombstone;
    return { count, startedAt, endsAt };
  }

  /** What is told of it. */
  get state(): Pick<FactBookState, "clearing" | "clearedAt"> {
    return omitUndefined({ clearing: this.pending, clearedAt: this.#tombstone?.startedAt ?? this.#erasedAt });
  }

  /** Whether there is something to erase, and its time is over. */
  get isDue(): boolean {
    return this.#tombstone !== undefined && this.#ports.clock.now() >= this.#tombstone.endsAt;
  }

  dooms({ id, lastSeenAt }: ChatFact): boolean {
    if (this.#tombstone === undefined) return false;
    const { facts, startedAt } = this.#tombstone;
    const seen = Object.hasOwn(facts, id) ? facts[id] : undefined;
    return seen !== undefined && lastSeenAt <= Math.max(seen, startedAt);
  }

  /** Goes by what stands in the keep now. */
  sync(): void {
    const found = readTombstone(this.#ports.keep);
    this.#erasedAt = readClearedAt(this.#ports.keep);
    // A clock that was set back must not keep what was cleared for longer.
    const isKnown = found?.startedAt === this.#tombstone?.startedAt;
    const latest = (isKnown ? this.#tombstone?.endsAt : undefined) ?? this.#ports.clock.now() + CLEAR_TIME;
    const tombstone = found === undefined ? undefined : { ...found, endsAt: Math.min(found.endsAt, latest) };
    if (!sameJson(tombstone, this.#tombstone)) this.#set(tombstone);
  }

  /** Written down first. What is being cleared already is cleared with it, and can be undone as long. */
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

  /** What is told again stays. */
  spare(id: string): void {
    if (this.#tombstone === undefined || !Object.hasOwn(this.#tombstone.facts, id)) return;
    const { [id]: _, ...facts } = this.#tombstone.facts;
    this.#write({ ...this.#tombstone, facts });
  }

  /** `false` where there is nothing to undo any more. */
  undo(): boolean {
    this.sync();
    if (this.pending === undefined) return false;
    this.#write(undefined);
    return true;
  }

  /** Everything that it names is erased. */
  finish(): void {
    this.#erasedAt = this.#tombstone?.startedAt ?? this.#erasedAt;
    this.#write(undefined);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #write(tombstone: Tombstone | undefined): void {
    writeTombstone(this.#ports.keep, tombstone, this.#erasedAt);
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
      // A timer may be early.
      if (clock.now() < endsAt) this.#wait(endsAt);
      else due();
    });
  }
}
