import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type AnyModel, type Clock, type Embedder, type Logger, wordEmbedder } from "throughline";
import type { StoredJob, Workspace } from "throughline/internal";
import type { SqlStore } from "throughline/sqlite";
import { EventHub } from "./events/event-hub.ts";
import { consolidateTonight, type Following, JOB_KINDS, reembedNow, sweepTonight } from "./jobs/job-kinds.ts";
import { JobRunner } from "./jobs/job-runner.ts";
import { Metrics } from "./metrics.ts";
import { noteWrites } from "./middleware/retry-steps.ts";
import type { Services } from "./services.ts";
import { userSpace } from "./session-access.ts";
import { type Tenant, Tenants } from "./throughline-pool.ts";

export interface ServiceOptions {
  readonly store: SqlStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly summariser?: AnyModel | undefined;
  readonly embedder?: Embedder | undefined;
  readonly workspaces?: ReadonlyMap<string, Workspace> | undefined;
}

export interface RunningServices extends Services {
  /** Ends streams of events, which would not end by themselves. */
  endListening(): void;
}

/** Puts together what the server's answers are made with, and begins to work on the jobs. */
export function createServices(options: ServiceOptions): RunningServices {
  const { clock, logger, summariser, embedder = wordEmbedder(), workspaces } = options;
  const store = noteWrites(options.store);
  const stopping = new AbortController();
  const events = new EventHub({ log: store.server.events, tokens: store.server.tokens, clock, logger });
  const metrics = new Metrics(store.server.jobs, events);
  const schedule = (tenant: Tenant) =>
    scheduleUpkeep(store, jobs, tenant, { now: clock.now(), embedder: embedder.name });
  const tenants = new Tenants({
    store,
    clock,
    logger,
    model: summariser,
    embedder,
    workspaces,
    signal: stopping.signal,
    onOpen: (tenant) => {
      schedule(tenant).catch((error: unknown) => logger.warn(`Upkeep could not be planned: ${String(error)}`));
    },
  });
  const work = async (job: StoredJob, signal: AbortSignal): Promise<Following> => {
    const throughline = await tenants.get({ userId: job.owner, projectId: job.projectId, isAdmin: false });
    const kind = JOB_KINDS[job.kind];
    if (kind === undefined) throw new Error(`This version does not know the kind ${job.kind}.`);
    return kind(job, { store, clock, logger, embedderName: embedder.name, throughline }, signal);
  };
  const jobs = new JobRunner({
    shelf: store.server,
    logger,
    holder: `${hostname()}:${process.pid}:${randomUUID()}`,
    work,
    onEnd: (job, outcome) => {
      metrics.jobEnded(job.kind, outcome);
      const data = { id: job.id, kind: job.kind, outcome };
      void events.publish({ userId: job.owner, projectId: job.projectId }, { type: "job:ended", data });
    },
  });
  jobs.start();
  return {
    store,
    tenants,
    events,
    jobs,
    metrics,
    clock,
    logger,
    stopping: stopping.signal,
    endListening: () => {
      stopping.abort();
      events.close();
    },
  };
}

/** What has to be done for somebody who was heard of, whether or not they come back. */
async function scheduleUpkeep(
  store: SqlStore,
  jobs: JobRunner,
  { userId, projectId }: Tenant,
  { now, embedder }: { readonly now: number; readonly embedder: string },
): Promise<void> {
  if (userId === "") return;
  await jobs.add(consolidateTonight(userId, projectId, now));
  await jobs.add(sweepTonight(now));
  const made = await store.documents.get(userSpace(userId), "embedder");
  if (made?.value !== embedder) await jobs.add(reembedNow(userId, projectId, embedder));
}
