import type { HttpBindings } from "@hono/node-server";
import type { Clock, Logger, Throughline } from "throughline";
import type { AnswerStore, TokenScope } from "throughline/internal/sql";
import type { SqlStore } from "throughline/sqlite";
import type { EventHub } from "./event-hub.ts";
import type { SessionCatalog } from "./inspect/session-catalog.ts";
import type { SessionReports } from "./inspect/session-reports.ts";
import type { HistorySource } from "./inspect/session-units.ts";
import type { JobRunner } from "./jobs/job-runner.ts";
import type { Metrics } from "./metrics.ts";
import type { TokenChecker } from "./middleware/check-token.ts";
import type { ThroughlinePool } from "./throughline-pool.ts";

/** The user, project and permissions of a request. */
export interface Caller {
  readonly userId: string;
  readonly projectId: string | undefined;
  readonly scopes: ReadonlySet<TokenScope>;
  /** Projects that the caller may access (default: all). */
  readonly projectIds?: readonly string[] | undefined;
  /** Id of the token; `undefined` on a loopback address without tokens. */
  readonly tokenId: string | undefined;
}

/** Hono environment of all authenticated routes. */
export interface ServerEnv {
  Bindings: HttpBindings;
  Variables: {
    caller: Caller;
    /** Limited to the data of the caller. */
    throughline: Throughline;
    /** Stored responses for retries. */
    answers: AnswerStore;
    /** Response for a retry with the same Idempotency-Key, if it must differ from the original one. */
    keptAnswer?: Response;
  };
}

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
