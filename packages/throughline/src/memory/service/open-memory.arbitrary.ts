import type { Store } from "../../ports/store.ts";
import { inProcessStore } from "../../store/in-process.ts";
import { createThroughline, type Throughline, type ThroughlineOptions } from "../../throughline.ts";
import { DAY } from "../facts/fact-rules.ts";
import type { MemoryService } from "./memory-service.ts";

/** When tests begin. */
export const START = 20_000 * DAY;

/** A clock that stands still until it is told to go on. */
export class StandingClock {
  time = START;

  now(): number {
    return this.time;
  }

  pass(milliseconds: number): void {
    this.time += milliseconds;
  }
}

/** One user's memory over a store that others may use too. */
export interface OpenMemory {
  readonly memory: MemoryService;
  readonly throughline: Throughline;
  readonly store: Store;
  readonly clock: StandingClock;
}

export type OpenOptions = Omit<ThroughlineOptions, "clock"> & { readonly clock?: StandingClock };

/** Opens memory as an application does, with a clock that tests may set; in the process, where no store is given. */
export async function openMemory(options: OpenOptions = {}): Promise<OpenMemory> {
  const clock = options.clock ?? new StandingClock();
  const store = options.store ?? inProcessStore(clock);
  const throughline = await createThroughline({ ...options, store, clock });
  return { memory: throughline.memory, throughline, store, clock };
}

/** The same store and clock for somebody else, or from another project. */
export function openBeside(
  { store, clock }: OpenMemory,
  options: Omit<OpenOptions, "store" | "clock">,
): Promise<OpenMemory> {
  return openMemory({ ...options, store, clock });
}

/** Texts of what is recalled, the best first. */
export async function textsOf(
  memory: MemoryService,
  query: string,
  options?: Parameters<MemoryService["recall"]>[1],
): Promise<string[]> {
  return (await memory.recall(query, { cut: "none", ...options })).map(({ text }) => text);
}
