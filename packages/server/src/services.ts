import type { Clock, Logger } from "throughline";
import type { SqlStore } from "throughline/sqlite";
import type { EventHub } from "./events/event-hub.ts";
import type { JobRunner } from "./jobs/job-runner.ts";
import type { Metrics } from "./metrics.ts";
import type { Tenants } from "./throughline-pool.ts";

/** What all that the server answers is made with. */
export interface Services {
  readonly store: SqlStore;
  readonly tenants: Tenants;
  readonly events: EventHub;
  readonly jobs: JobRunner;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Nothing new is begun any more. */
  readonly stopping: AbortSignal;
}
