import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Clock, type Logger, type ModelCall, wordEmbedder } from "throughline";
import { CallLog, withCallListener } from "throughline/internal/engine";
import type { StoredJob } from "throughline/internal/sql";
import { Lru, omitUndefined } from "throughline/internal/util";
import type { SqlStore } from "throughline/sqlite";
import { EventHub } from "./event-hub.ts";
import { SessionCatalog } from "./inspect/session-catalog.ts";
import { SessionReports } from "./inspect/session-reports.ts";
import { type Following, JOB_KINDS, nextCleanup, nextConsolidation, reembedNow } from "./jobs/job-kinds.ts";
import { JobRunner } from "./jobs/job-runner.ts";
import { Metrics } from "./metrics.ts";
import { TokenChecker } from "./middleware/check-token.ts";
import { noteWrites } from "./middleware/idempotent-steps.ts";
import { defaultSearchWorkers, SearchWorkers } from "./search/search-workers.ts";
import type { Services } from "./server-env.ts";
import type { ServerOptions } from "./server-options.ts";
import { userSpace } from "./session-access.ts";
import { ThroughlinePool, type UserScope } from "./throughline-pool.ts";

export interface ServiceOptions extends ServerOptions {
  readonly store: SqlStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RunningServices extends Services {
  /** Ends all event streams, which would otherwise stay open. */
  endListening(): void;
  readonly searchWorkers: SearchWorkers | undefined;
  /** Stores the number of requests to the model. */
  saveCalls(): Promise<void>;
}

/** Milliseconds for which a server on PostgreSQL trusts a token. */
const TOKENS_TRUSTED = 5_000;

/** Milliseconds after a request to the model until its number is stored. */
const SAVE_CALLS_AFTER = 5_000;

/** Users and projects of which it is known that their maintenance jobs are scheduled. */
const MAX_SCHEDULED = 100_000;
/** Milliseconds after which the maintenance jobs of a user are scheduled again, in case they were lost. */
const SCHEDULE_AGAIN = 12 * 60 * 60 * 1_000;

/** Creates the services behind the routes. The caller starts `jobs`. */
export function createServices(options: ServiceOptions): RunningServices {
  const { clock, logger, model, embedder = wordEmbedder(), maxIndexBytes, workspaces } = options;
  const store = noteWrites(options.store);
  const stopping = new AbortController();
  const events = new EventHub({ log: store.server.events, tokens: store.server.tokens, clock, logger });
  const metrics = new Metrics(store.server.jobs, events);
  // Not the noted store: the numbers belong to no request of a client.
  const calls = new SavedCalls(options.store, logger);
  const scheduled = new Lru<string, number>({ maxSize: MAX_SCHEDULED });
  const schedule = async (userScope: UserScope) => {
    const name = JSON.stringify([userScope.userId, userScope.projectId]);
    const now = clock.now();
    // Each job schedules the next one. An instance is created again whenever its user returns after an eviction.
    if (Math.abs(now - (scheduled.get(name) ?? Number.NEGATIVE_INFINITY)) < SCHEDULE_AGAIN) return;
    await scheduleUpkeep(store, jobs, userScope, { now, embedder: embedder.name });
    scheduled.set(name, now);
  };
  const threads = options.searchWorkers ?? defaultSearchWorkers();
  const searchWorkers = threads === 0 ? undefined : new SearchWorkers({ threads, logger });
  // One model for all instances: its failures are counted per object.
  const observed =
    model &&
    withCallListener(model, (call) => {
      metrics.modelCalled(call);
      calls.note(call);
    });
  const about = omitUndefined({ model: observed, maxIndexBytes, searchExecutor: searchWorkers });
  const pool = new ThroughlinePool({
    shared: { store, clock, logger, embedder, ...about },
    workspaces,
    signal: stopping.signal,
    onOpen: (userScope) => {
      schedule(userScope).catch((error: unknown) =>
        logger.warn(`Could not schedule maintenance jobs: ${String(error)}`),
      );
    },
  });
  const work = async (job: StoredJob, signal: AbortSignal): Promise<Following> => {
    const throughline = await pool.get({ userId: job.owner, projectId: job.projectId, isAdmin: false });
    const kind = JOB_KINDS[job.kind];
    if (kind === undefined)
      throw new Error(`Unknown job kind ${job.kind}: this version cannot run the job. Update this server.`);
    return kind(job, { store, clock, logger, embedderName: embedder.name, throughline }, signal);
  };
  const jobs = new JobRunner({
    store: store.server,
    logger,
    holder: `${hostname()}:${process.pid}:${randomUUID()}`,
    work,
    onEnd: (job, outcome) => {
      metrics.jobEnded(job.kind, outcome);
      const data = { id: job.id, kind: job.kind, outcome };
      void events.publish({ userId: job.owner, projectId: job.projectId }, { type: "job:ended", data });
    },
  });
  const catalog = new SessionCatalog({ logger, stopping: stopping.signal });
  return {
    store,
    // SQLite answers in microseconds. A store for many servers, which notifies them, is across the network.
    tokens: new TokenChecker(store.server.tokens, store.notifications === undefined ? 0 : TOKENS_TRUSTED),
    pool,
    events,
    jobs,
    metrics,
    histories: options.histories,
    catalog,
    reports: new SessionReports((work) => catalog.waitFor(work)),
    reportPage: options.reportPage,
    clock,
    logger,
    stopping: stopping.signal,
    endListening: () => {
      stopping.abort();
      events.close();
    },
    searchWorkers,
    saveCalls: () => calls.save(),
  };
}

/** Stores the number of requests to the model soon after them, several at a time. */
class SavedCalls {
  readonly #log: CallLog;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;

  constructor({ documents }: SqlStore, logger: Logger) {
    this.#log = new CallLog(documents);
    this.#logger = logger;
  }

  note(call: ModelCall): void {
    this.#log.note(call);
    this.#timer ??= setTimeout(() => void this.save(), SAVE_CALLS_AFTER).unref();
  }

  async save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#log
      .save()
      .catch((error: unknown) => this.#logger.warn(`Could not store the number of model requests: ${String(error)}`));
  }
}

/** Schedules the recurring jobs of a user. */
async function scheduleUpkeep(
  store: SqlStore,
  jobs: JobRunner,
  { userId, projectId }: UserScope,
  { now, embedder }: { readonly now: number; readonly embedder: string },
): Promise<void> {
  if (userId === "") return;
  await jobs.add(nextConsolidation(userId, projectId, now));
  await jobs.add(nextCleanup(now));
  const made = await store.documents.get(userSpace(userId), "embedder");
  if (made?.value !== embedder) await jobs.add(reembedNow(userId, projectId, embedder));
}
