import { type OpenMemory, type OpenOptions, openMemory, StandingClock } from "../../memory/open-memory.fixture.ts";
import { inProcessStore } from "../../store/in-process.ts";
import type { FactBook } from "./fact-book.ts";
import type { FactBookMemory } from "./fact-changes.ts";
import { createFactBook, type FactBookOptions } from "./persistent-fact-book.ts";

/** A fake clock with timers. */
class DrivenClock extends StandingClock {
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  readonly schedule = (milliseconds: number, run: () => void): (() => void) => {
    const timer = { at: this.time + milliseconds, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  get waiting(): number {
    return this.#timers.size;
  }

  override pass(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.run();
    }
    this.time = end;
  }
}

/** Fake localStorage entry. */
class StoredInMemory {
  text: string | undefined;
  isDenied = false;

  read(): string | undefined {
    return this.text;
  }

  write(text: string | undefined): void {
    if (this.isDenied) throw new Error("The quota is exceeded");
    this.text = text;
  }
}

/** One user's device: a store, local storage and a clock. Each open fact book is a tab. */
export interface Device extends OpenMemory {
  readonly clock: DrivenClock;
  readonly tombstone: StoredInMemory;
  open(options?: Partial<FactBookOptions>): Promise<FactBook>;
}

export async function openDevice(options: Pick<OpenOptions, "embedder"> = {}): Promise<Device> {
  const clock = new DrivenClock();
  const opened = await openMemory({ ...options, clock, store: inProcessStore(clock) });
  const tombstone = new StoredInMemory();
  const open = async (own: Partial<FactBookOptions> = {}): Promise<FactBook> => {
    const { schedule } = clock;
    const book = createFactBook({ memory: opened.memory, clock, schedule, tombstone, ...own });
    await book.refresh();
    return book;
  };
  return { ...opened, clock, tombstone, open };
}

/** The memory service with some methods replaced. */
export function withVerbs(memory: FactBookMemory, verbs: Partial<FactBookMemory>): FactBookMemory {
  return {
    list: (options) => memory.list(options),
    remember: (input) => memory.remember(input),
    update: (id, patch) => memory.update(id, patch),
    forget: (id) => memory.forget(id),
    purge: (ids) => memory.purge(ids),
    ...verbs,
  };
}
