import type { Clock } from "../../ports/clock.ts";
import type { MemoryFact } from "../memory-fact.ts";
import type { Schedule } from "../schedule.ts";
import type { Removal } from "./fact-book.ts";

/** Undo time of a deletion in milliseconds. */
const UNDO_TIME = 4_000;

interface Standing {
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
  readonly #standing = new Map<string, Standing>();
  #count = 0;

  constructor(ports: RemovalPorts) {
    this.#ports = ports;
  }

  list(): readonly Removal[] {
    return [...this.#standing.values()].map(({ removal }) => removal);
  }

  get(id: string): Removal | undefined {
    return this.#standing.get(id)?.removal;
  }

  start(facts: readonly MemoryFact[]): Removal {
    this.#count += 1;
    const removal = { id: `removal-${this.#count}`, facts, remaining: UNDO_TIME, isPaused: false };
    const standing = { removal, since: this.#ports.clock.now(), cancel: undefined };
    this.#standing.set(removal.id, standing);
    this.#run(standing);
    return removal;
  }

  pause(id: string): void {
    const standing = this.#standing.get(id);
    if (standing === undefined || standing.removal.isPaused) return;
    standing.cancel?.();
    const { removal, since } = standing;
    const remaining = Math.max(0, removal.remaining - (this.#ports.clock.now() - since));
    standing.removal = { ...removal, remaining, isPaused: true };
  }

  resume(id: string): void {
    const standing = this.#standing.get(id);
    if (standing === undefined || !standing.removal.isPaused) return;
    standing.removal = { ...standing.removal, isPaused: false };
    standing.since = this.#ports.clock.now();
    this.#run(standing);
  }

  /** Keeps only the facts that are still deleted. Ends a removal without facts. */
  keep(id: string, isDeleted: (fact: MemoryFact) => boolean): void {
    const standing = this.#standing.get(id);
    if (standing === undefined) return;
    const facts = standing.removal.facts.filter(isDeleted);
    if (facts.length === 0) this.end(id);
    else standing.removal = { ...standing.removal, facts };
  }

  end(id: string): void {
    this.#standing.get(id)?.cancel?.();
    this.#standing.delete(id);
  }

  endAll(): void {
    for (const id of [...this.#standing.keys()]) this.end(id);
  }

  #run(standing: Standing): void {
    const { id, remaining } = standing.removal;
    standing.cancel = this.#ports.schedule(remaining, () => {
      this.#standing.delete(id);
      this.#ports.changed();
    });
  }
}
