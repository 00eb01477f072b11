import { type Logger, NotFoundError } from "throughline";
import type { NewJob, ServerStore, StoredJob } from "throughline/internal/sql";
import { messageOf } from "throughline/internal/util";
import type { Following } from "./job-kinds.ts";

/** Milliseconds until the lease of a job expires without renewal. */
const LEASE = 30_000;
/** Milliseconds between polls for jobs of other servers. */
const LOOK_AGAIN = 1_000;
/** Milliseconds that a job gets to react to the stop signal. */
const GRACE = 500;
const FIRST_RETRY = 5_000;
const MAX_RETRY = 10 * 60_000;

export interface RunnerOptions {
  readonly store: ServerStore;
  readonly logger: Logger;
  /** Id of this server for the leases. */
  readonly holder: string;
  /** Runs a job and returns its follow-up jobs. */
  readonly work: (job: StoredJob, signal: AbortSignal) => Promise<Following>;
  /** Called for every finished job. */
  readonly onEnd?: (job: StoredJob, outcome: "done" | "failed" | "dead") => void;
  readonly lookAgain?: number;
  readonly lease?: number;
}

/** Works on the queue one job at a time, together with the other servers on the store. */
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

  /** Queues a job, unless a job with the same key is already waiting. */
  async add(job: NewJob): Promise<void> {
    await this.#options.store.jobs.add(job);
    this.#wake?.();
  }

  /** Waits for the running job, or releases it after `timeout` milliseconds, for another server. */
  async stop(timeout: number): Promise<void> {
    this.#isStopping = true;
    this.#wake?.();
    const timer = setTimeout(() => this.#stop.abort(new Error("The server is shutting down.")), timeout);
    const late = Promise.withResolvers<void>();
    const given = setTimeout(late.resolve, timeout + GRACE);
    await Promise.race([this.#running, late.promise]);
    clearTimeout(timer);
    clearTimeout(given);
    const { store, holder } = this.#options;
    if (this.#current !== undefined) await store.jobs.finish(this.#current.id, holder, "released");
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        const { store, holder, lease = LEASE } = this.#options;
        const job = await store.jobs.lease(holder, lease);
        this.#current = job;
        if (job === undefined) await this.#pause();
        else await this.#do(job);
        this.#current = undefined;
      } catch (error) {
        this.#current = undefined;
        // Ignore the closed store if a job did not react to the stop signal.
        if (!this.#isStopping) this.#options.logger.warn(`Could not read the job queue: ${messageOf(error)}`);
        await this.#pause();
      }
    }
  }

  async #do(job: StoredJob): Promise<void> {
    const { store, holder, work, onEnd, lease = LEASE } = this.#options;
    const lost = new AbortController();
    const renewal = setInterval(() => {
      store.jobs.renew(job.id, holder, lease).then(
        (isOurs) => isOurs || lost.abort(new Error("Another server took over the job.")),
        () => undefined,
      );
    }, lease / 3);
    try {
      const following = await work(job, AbortSignal.any([lost.signal, this.#stop.signal]));
      await store.jobs.finish(job.id, holder);
      for (const one of await following()) await store.jobs.add(one);
      onEnd?.(job, "done");
    } catch (error) {
      await this.#fail(job, error);
    } finally {
      clearInterval(renewal);
    }
  }

  async #fail(job: StoredJob, error: unknown): Promise<void> {
    const { store, holder, onEnd, logger } = this.#options;
    if (this.#stop.signal.aborted) {
      await store.jobs.finish(job.id, holder, "released");
      return;
    }
    // The subject of the job does not exist anymore, so a retry would fail too.
    const isGone = error instanceof NotFoundError;
    if (isGone) {
      await store.jobs.finish(job.id, holder);
      return onEnd?.(job, "done");
    }
    const retryAfter = Math.min(MAX_RETRY, FIRST_RETRY * 2 ** (job.attempts - 1)) * (0.75 + Math.random() / 2);
    await store.jobs.finish(job.id, holder, { error: messageOf(error), retryAfter: Math.round(retryAfter) });
    const isDead = job.attempts >= job.maxAttempts;
    logger.warn(`Job ${job.kind} ${job.id} ${isDead ? "failed permanently" : "will be retried"}: ${messageOf(error)}`);
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
