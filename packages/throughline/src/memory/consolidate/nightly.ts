import { StoreError } from "../../errors/store-errors.ts";
import { messageOf } from "../../internal/text.ts";
import { HOUR } from "../../internal/time.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";

/** Maximum milliseconds between looks at the clock, because long timers are unreliable (suspend, clock changes). */
const MAX_SLEEP = HOUR;
const NIGHT = 3;

/** Options of `tl.memory.consolidateNightly`. */
export interface NightlyOptions {
  /** Hour of the day in local time, 0 to 23. Default: 3. */
  readonly hour?: number;
}

interface NightlyPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly work: () => Promise<unknown>;
}

/**
 * Runs `work` every night until the returned function is called, which waits for a running `work`. Several processes
 * may do so: a `busy` error, thrown if another process holds the lease, is ignored. The timer does not keep a process
 * alive.
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
    unrefTimer(timer);
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

/** Next time at which the hour begins, in local time. */
export function nextNight(now: number, hour: number): number {
  const night = new Date(now);
  night.setHours(hour, 0, 0, 0);
  if (night.getTime() <= now) night.setDate(night.getDate() + 1);
  return night.getTime();
}

function report(logger: Logger, error: unknown): void {
  if (error instanceof StoreError && error.problem === "busy") return;
  logger.warn(`Nightly consolidation failed: ${messageOf(error)}`);
}

/** Lets a Node process exit despite the timer. Browser timers have no `unref`. */
function unrefTimer(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function")
    timer.unref();
}
