import type { ServerShelf } from "../../../ports/server-shelf.ts";
import type { StoreDatabase } from "../sql-driver.ts";
import { sqlAnswerShelf } from "./answer-shelf.ts";
import { sqlEventLog } from "./event-log.ts";
import { sqlJobQueue } from "./job-queue.ts";
import { sqlTokenShelf } from "./token-shelf.ts";

/** What a database keeps for servers. */
export function sqlServerShelf(database: StoreDatabase): ServerShelf {
  return {
    tokens: sqlTokenShelf(database),
    jobs: sqlJobQueue(database),
    events: sqlEventLog(database),
    answers: sqlAnswerShelf(database),
  };
}
