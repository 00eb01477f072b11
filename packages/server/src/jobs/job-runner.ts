import { type Logger, NotFoundError } from "throughline";
import type { NewJob, ServerStore, StoredJob } from "throughline/internal";
import type { Following } from "./job-kinds.ts";

/** Milliseconds that a job is ours without a sign of life. */
const LEASE = 30_000;
/** Milliseconds between two looks at what other servers left. */
const LOOK_AGAIN = 1_000;
/** Milliseconds that a job gets to hear that it is to stop. */
const GRACE = 500;
const FIRST_RETRY = 5_000;
const MAX_RETRY = 10 * 60_000;

export interface RunnerOptions {
  readonly shelf: ServerStore;
  readonly logger: Logger;
  /** Who it is to the other servers. */
  readonly holder: string;
  /** Does the work of a job, and gives what follows from it. */
  readonly work: (job: StoredJob, signal: AbortSignal) => Promise<Following>;
  /** Told of every job that came to its end. */
  readonly onEnd?: (job: StoredJob, outcome: "done" | "failed" | "dead") => void;
  readonly lookAgain?: number;
  readonly lease?: number;
}

/** Does what the queue holds, one job after the other, together with the other servers on the store. */
export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #stop = new AbortController();
  #wake: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #isStopping = false;
  #current: StoredJob | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Puts a job into the queue; one of that key that waits already will do. */
  async add(job: NewJob): Promise<void> {
    await this.#options.shelf.jobs.add(job);
    this.#wake?.();
  }

  /** Lets the job that is under way come to its end, or gives it back after so many milliseconds: another one does it. */
  async stop(patience: number): Promise<void> {
    this.#isStopping = true;
    this.#wake?.();
    const timer = setTimeout(() => this.#stop.abort(new Error("The server stops.")), patience);
    const late = Promise.withResolvers<void>();
    const given = setTimeout(late.resolve, patience + GRACE);
    await Promise.race([this.#running, late.promise]);
    clearTimeout(timer);
    clearTimeout(given);
    const { shelf, holder } = this.#options;
    if (this.#current !== undefined) await shelf.jobs.finish(this.#current.id, holder, "released");
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        const { shelf, holder, lease = LEASE } = this.#options;
        const job = await shelf.jobs.lease(holder, lease);
        this.#current = job;
        if (job === undefined) await this.#pause();
        else await this.#do(job);
        this.#current = undefined;
      } catch (error) {
        this.#current = undefined;
        // A store that was closed under a job that did not heed the stop is no news.
        if (!this.#isStopping) this.#options.logger.warn(`Jobs cannot be read: ${tell(error)}`);
        await this.#pause();
      }
    }
  }

  async #do(job: StoredJob): Promise<void> {
    const { shelf, holder, work, onEnd, lease = LEASE } = this.#options;
    const lost = new AbortController();
    const renewal = setInterval(() => {
      shelf.jobs.renew(job.id, holder, lease).then(
        (isOurs) => isOurs || lost.abort(new Error("Another server took it over.")),
        () => undefined,
      );
    }, lease / 3);
    try {
      const following = await work(job, AbortSignal.any([lost.signal, this.#stop.signal]));
      await shelf.jobs.finish(job.id, holder);
      for (const one of await following()) await shelf.jobs.add(one);
      onEnd?.(job, "done");
    } catch (error) {
      await this.#fail(job, error);
    } finally {
      clearInterval(renewal);
    }
  }

  async #fail(job: StoredJob, error: unknown): Promise<void> {
    const { shelf, holder, onEnd, logger } = this.#options;
    if (this.#stop.signal.aborted) {
      await shelf.jobs.finish(job.id, holder, "released");
      return;
    }
    // What it was about is gone: to try again would not bring it back.
    const isGone = error instanceof NotFoundError;
    if (isGone) {
      await shelf.jobs.finish(job.id, holder);
      return onEnd?.(job, "done");
    }
    const retryAfter = Math.min(MAX_RETRY, FIRST_RETRY * 2 ** (job.attempts - 1)) * (0.75 + Math.random() / 2);
    await shelf.jobs.finish(job.id, holder, { error: tell(error), retryAfter: Math.round(retryAfter) });
    const isDead = job.attempts >= job.maxAttempts;
    logger.warn(`Job ${job.kind} ${job.id} ${isDead ? "failed for good" : "will be tried again"}: ${tell(error)}`);
    onEnd?.(job, isDead ? "dead" : "failed");
  }

  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, this.#options.lookAgain ?? LOOK_AGAIN);
    timer.unref();
    if (!this.#isStopping) await promise;
    clearTimeout(timer);
    this.#wake = undefined;
  }
}

function tell(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
