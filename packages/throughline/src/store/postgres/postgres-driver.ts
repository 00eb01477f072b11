import { StoreError } from "../../errors/store-error.ts";
import type { SqlDriver } from "../sql/sql-driver.ts";
import { ConnectionLost, type Lend } from "./connections.ts";
import type { PostgresSettings } from "./options.ts";
import { retry } from "./retry.ts";
import { beginText, transact, type Work, workWithin } from "./transaction.ts";
import type { WriteLedger, WriteTicket } from "./write-ledger.ts";

interface PostgresDriverOptions {
  readonly lend: Lend;
  readonly settings: PostgresSettings;
  readonly ledger: WriteLedger;
}

/**
 * Statements on PostgreSQL.
 *
 * Writes run at READ COMMITTED: the store's writes begin with one statement that compares and swaps (`UPDATE … WHERE`,
 * or `INSERT … ON CONFLICT … WHERE`) and locks the session's row by it. Whoever comes second waits for the first and
 * then compares with what that left, where a higher level would fail and begin anew. Reads see one state, at REPEATABLE
 * READ. Errors are PostgreSQL's own.
 */
export function createPostgresDriver(options: PostgresDriverOptions): Omit<SqlDriver, "close"> {
  const { lend, settings } = options;
  const { retryMilliseconds } = settings;
  const begin = beginText(settings, "REPEATABLE READ READ ONLY");
  return {
    dialect: "postgres",
    read: (work) => retry(retryMilliseconds, () => lend((connection) => transact(connection, begin, work))),
    write: (work) => retry(retryMilliseconds, () => write(options, work)),
    async now(tx) {
      // Not the time at which the transaction began: it may have waited for a lock since.
      const rows = await tx.all("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now");
      return Number(rows[0]?.now);
    },
  };
}

/** One try. Where its confirmation is lost, it finds out what became of it, and fails only where nothing was kept. */
async function write<T>(options: PostgresDriverOptions, work: Work<T>): Promise<T> {
  const { lend, settings, ledger } = options;
  const ticket = ledger.take();
  const begin = `${beginText(settings, "READ COMMITTED")}; ${ledger.entry(ticket)}`;
  const { value, failure } = await lend(async (connection) => {
    const value = await workWithin(connection, begin, work).catch((error: unknown) => {
      // A lost transaction may hold its writer's row for a while.
      if (!(error instanceof ConnectionLost)) ledger.giveBack(ticket);
      throw error;
    });
    const failure = await connection.script("COMMIT").then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    return { value, failure };
  });
  if (failure === undefined) ledger.giveBack(ticket);
  else if (!(await wasKept(options, ticket))) throw failure.error;
  return value;
}

async function wasKept({ lend, settings, ledger }: PostgresDriverOptions, ticket: WriteTicket): Promise<boolean> {
  const begin = beginText(settings, "READ COMMITTED");
  try {
    return await ledger.wasKept(ticket, (question) =>
      retry(settings.retryMilliseconds, () => lend((connection) => transact(connection, begin, question))),
    );
  } catch (cause) {
    const message = "The connection was lost before a write was confirmed, and it is not known whether it was kept.";
    throw new StoreError("unavailable", message, { cause });
  }
}
