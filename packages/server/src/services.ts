import type { Clock, Logger } from "throughline";
import type { SqlStore } from "throughline/sqlite";
import type { EventHub } from "./events/event-hub.ts";
import type { HistorySource } from "./inspect/history-source.ts";
import type { SessionCatalog } from "./inspect/session-catalog.ts";
import type { SessionReports } from "./inspect/session-reports.ts";
import type { JobRunner } from "./jobs/job-runner.ts";
import type { Metrics } from "./metrics.ts";
import type { TokenChecker } from "./middleware/check-token.ts";
import type { ThroughlinePool } from "./throughline-pool.ts";

/** Services that the routes share. */
export interface Services {
  readonly store: SqlStore;
  readonly tokens: TokenChecker;
  readonly pool: ThroughlinePool;
  readonly events: EventHub;
  readonly jobs: JobRunner;
  readonly metrics: Metrics;
  /** Recorded sessions on this machine, if the server may read them. */
  readonly histories: HistorySource | undefined;
  readonly catalog: SessionCatalog;
  readonly reports: SessionReports;
  /** Path of the built report page. */
  readonly reportPage: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Aborted when the server shuts down. */
  readonly stopping: AbortSignal;
}
