import { DAY } from "../internal/time.ts";
import type { Store } from "../ports/store.ts";
import { inProcessStore } from "../store/in-process.ts";
import { createThroughline } from "../throughline.ts";
import type { Throughline, ThroughlineOptions } from "../throughline-api.ts";
import type { MemoryService } from "./memory-service.ts";

/** Time at which tests begin. */
export const START = 20_000 * DAY;

/** A clock that advances only on request. */
export class StandingClock {
  time = START;

  now(): number {
    return this.time;
  }

  pass(milliseconds: number): void {
    this.time += milliseconds;
  }
}

/** The memory of one user, over a store that other users may share. */
export interface OpenMemory {
  readonly memory: MemoryService;
  readonly throughline: Throughline;
  readonly store: Store;
  readonly clock: StandingClock;
}

export type OpenOptions = Omit<ThroughlineOptions, "clock"> & { readonly clock?: StandingClock };

/** Opens memory as an application does, with a clock that tests can set. Default store: in-process. */
export async function openMemory(options: OpenOptions = {}): Promise<OpenMemory> {
  const clock = options.clock ?? new StandingClock();
  const store = options.store ?? inProcessStore(clock);
  const throughline = await createThroughline({ ...options, store, clock });
  return { memory: throughline.memory, throughline, store, clock };
}

/** Opens the same store and clock for another user or project. */
export function openBeside(
  { store, clock }: OpenMemory,
  options: Omit<OpenOptions, "store" | "clock">,
): Promise<OpenMemory> {
  return openMemory({ ...options, store, clock });
}

/** Texts of the recalled hits, best first. */
export async function textsOf(
  memory: MemoryService,
  query: string,
  options?: Parameters<MemoryService["recall"]>[1],
): Promise<string[]> {
  return (await memory.recall(query, { cut: "none", ...options })).map(({ text }) => text);
}
