import type { ServerStore } from "../../../ports/server-store.ts";
import type { StoreDatabase } from "../sql-driver.ts";
import { sqlAnswerStore } from "./answer-store.ts";
import { sqlEventLog } from "./event-log.ts";
import { sqlJobQueue } from "./job-queue.ts";
import { sqlTokenStore } from "./token-store.ts";

/** Data of servers in a database. */
export function sqlServerStore(database: StoreDatabase): ServerStore {
  return {
    tokens: sqlTokenStore(database),
    jobs: sqlJobQueue(database),
    events: sqlEventLog(database),
    answers: sqlAnswerStore(database),
  };
}
