import { StoreError } from "../../errors/store-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";

const HOUR = 60 * 60 * 1_000;
/** A timer that sleeps longer than this may not wake: it looks at the clock again. */
const MAX_SLEEP = HOUR;
const NIGHT = 3;

export interface NightlyOptions {
  /** The hour of the day, in local time; 3, where nothing is said. */
  readonly hour?: number;
}

interface NightlyPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly work: () => Promise<unknown>;
}

/**
 * Does a piece of work every night, until the returned function is called. Several processes may do so: the work itself
 * takes a lease, and who comes second leaves it to the first. The timer does not keep a process alive.
 */
export function everyNight(
  { clock, logger, work }: NightlyPorts,
  { hour = NIGHT }: NightlyOptions = {},
): () => Promise<void> {
  let due = nextNight(clock.now(), hour);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = Promise.resolve();
  const sleep = (): void => {
    timer = setTimeout(wake, Math.min(MAX_SLEEP, Math.max(0, due - clock.now())));
    letGo(timer);
  };
  const wake = (): void => {
    if (clock.now() >= due) {
      due = nextNight(clock.now(), hour);
      running = work().then(
        () => undefined,
        (error: unknown) => report(logger, error),
      );
    }
    sleep();
  };
  sleep();
  return async () => {
    clearTimeout(timer);
    await running;
  };
}

/** The next time that it is that hour. */
export function nextNight(now: number, hour: number): number {
  const night = new Date(now);
  night.setHours(hour, 0, 0, 0);
  if (night.getTime() <= now) night.setDate(night.getDate() + 1);
  return night.getTime();
}

function report(logger: Logger, error: unknown): void {
  if (error instanceof StoreError && error.problem === "busy") return;
  logger.warn(`The nightly consolidation failed: ${error instanceof Error ? error.message : String(error)}`);
}

/** Node keeps a process alive for a timer unless it is told not to; browsers have nothing to tell. */
function letGo(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function")
    timer.unref();
}
