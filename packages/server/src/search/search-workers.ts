import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Logger } from "throughline";
import type { SearchExecutor, SearchThread } from "throughline/internal/engine";
import { messageOf } from "throughline/internal/util";
import type { WorkerAnswer, WorkerRequest } from "./search-worker.ts";

/** The sources run as they are in tests and benchmarks. */
const WORKER = new URL(import.meta.url.endsWith(".ts") ? "search-worker.ts" : "search-worker.js", import.meta.url);
const MAX_DEFAULT = 4;
/** Searches that a worker has at a time: the next one is there when it has answered the first. */
const MAX_SEARCHES = 2;
/** Workers that may end one after the other without an answer before no more are started. */
const MAX_FAILURES = 3;

/** Default of the option `searchWorkers`: one core is left for the requests. */
export function defaultSearchWorkers(): number {
  return Math.min(availableParallelism() - 1, MAX_DEFAULT);
}

export interface SearchWorkersOptions {
  /** Maximum number of workers. */
  readonly threads: number;
  readonly logger: Logger;
  readonly minEntries?: number;
}

/**
 * Worker threads that search. They start when there is work for them, and one that fails is replaced by another.
 */
export class SearchWorkers implements SearchExecutor {
  readonly threads: number;
  readonly minEntries?: number;
  readonly #logger: Logger;
  #running: SearchWorker[] = [];
  #waiting: PromiseWithResolvers<SearchWorker>[] = [];
  #failures = 0;
  #isClosed = false;

  constructor({ threads, logger, minEntries }: SearchWorkersOptions) {
    this.threads = threads;
    this.#logger = logger;
    if (minEntries !== undefined) this.minEntries = minEntries;
  }

  get running(): readonly SearchWorker[] {
    return this.#running;
  }

  async use<T>(work: (thread: SearchThread) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Error("The search workers are closed.");
    const free = Promise.withResolvers<SearchWorker>();
    this.#waiting.push(free);
    this.#assign();
    const worker = await free.promise;
    try {
      const result = await work(worker);
      this.#failures = 0;
      return result;
    } finally {
      worker.searches -= 1;
      this.#assign();
    }
  }

  /** Ends all workers. Searches in progress are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rejectWaiting();
    await Promise.all(this.#running.map((worker) => worker.end()));
  }

  /** Passes waiting searches to workers with free capacity. */
  #assign(): void {
    while (this.#waiting.length > 0) {
      const worker = this.#withRoom();
      if (worker === undefined) return;
      worker.searches += 1;
      this.#waiting.shift()?.resolve(worker);
    }
  }

  #withRoom(): SearchWorker | undefined {
    const [least] = this.#running.toSorted((a, b) => a.searches - b.searches);
    const isBusy = least === undefined || least.searches > 0;
    if (isBusy && this.#running.length < this.threads) return this.#start();
    return least !== undefined && least.searches < MAX_SEARCHES ? least : undefined;
  }

  #start(): SearchWorker {
    const numbers = new Set(this.#running.map(({ number }) => number));
    let number = 1;
    while (numbers.has(number)) number += 1;
    const worker = new SearchWorker(number, (error) => this.#ended(worker, error));
    this.#running.push(worker);
    return worker;
  }

  #ended(worker: SearchWorker, error: unknown): void {
    this.#running = this.#running.filter((other) => other !== worker);
    if (this.#isClosed) return;
    this.#failures += 1;
    const hasFailed = this.#failures >= MAX_FAILURES;
    this.#isClosed = hasFailed;
    const next = hasFailed ? "All searches run in the main thread from now on." : "Another one is started.";
    this.#logger.warn(`A search worker ended: ${messageOf(error)}. ${next}`);
    if (hasFailed) this.#rejectWaiting();
    else this.#assign();
  }

  #rejectWaiting(): void {
    for (const { reject } of this.#waiting) reject(new Error("No search worker is left."));
    this.#waiting = [];
  }
}

/** One worker thread. It starts at once and answers messages in order. */
class SearchWorker implements SearchThread {
  readonly number: number;
  /** Searches that were given to it. */
  searches = 0;
  readonly #worker: Worker;
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
  #serial = 0;
  #problem: unknown;

  constructor(number: number, onEnd: (error: unknown) => void) {
    this.number = number;
    this.#worker = new Worker(WORKER, { workerData: number, name: `search-${number}` });
    this.#worker.unref();
    this.#worker.on("message", ({ serial, result }: WorkerAnswer) => {
      this.#asked.get(serial)?.resolve(result);
      this.#asked.delete(serial);
    });
    this.#worker.on("error", (error) => {
      this.#problem = error;
    });
    this.#worker.on("messageerror", (error) => this.#fail(error));
    this.#worker.on("exit", (code) => {
      const error = this.#problem ?? new Error(`exit code ${code}`);
      onEnd(error);
      for (const { reject } of this.#asked.values()) reject(error);
      this.#asked.clear();
    });
  }

  ask(message: unknown): Promise<unknown> {
    this.#serial += 1;
    const serial = this.#serial;
    const answer = Promise.withResolvers<unknown>();
    this.#asked.set(serial, answer);
    try {
      this.#worker.postMessage({ serial, message } satisfies WorkerRequest);
    } catch (error) {
      this.#fail(error);
    }
    return answer.promise;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: unknown): void {
    this.#problem = error;
    void this.end();
  }
}
