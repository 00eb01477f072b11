import { StoreError } from "../../errors/store-errors.ts";
import type { SqlDriver } from "../sql/sql-driver.ts";
import { ConnectionLost, type WithConnection } from "./connections.ts";
import type { PostgresSettings } from "./options.ts";
import { retry } from "./store-problem.ts";
import { beginText, readWithin, selectWithin, transact, type Work, workWithin } from "./transaction.ts";
import type { WriteDedup, WriteTicket } from "./write-dedup.ts";

interface PostgresDriverOptions {
  readonly withConnection: WithConnection;
  readonly settings: PostgresSettings;
  readonly dedup: WriteDedup;
}

/**
 * Runs statements on PostgreSQL.
 *
 * Writes use READ COMMITTED: they start with one compare-and-swap statement (`UPDATE … WHERE`, or `INSERT … ON CONFLICT
 * … WHERE`) that locks the session's row. A concurrent writer waits and then compares with the new state; a higher
 * isolation level would fail and restart. Reads see one snapshot at REPEATABLE READ. Errors are PostgreSQL's own.
 */
export function createPostgresDriver(
  options: PostgresDriverOptions,
): Omit<SqlDriver, "close"> & Required<Pick<SqlDriver, "select">> {
  const { withConnection, settings } = options;
  const { retryMilliseconds } = settings;
  const begin = beginText(settings, "REPEATABLE READ READ ONLY");
  return {
    dialect: "postgres",
    select: (statements) =>
      retry(retryMilliseconds, () => withConnection((connection) => selectWithin(connection, begin, statements))),
    read: (work) => retry(retryMilliseconds, () => withConnection((connection) => readWithin(connection, begin, work))),
    write: (work) => retry(retryMilliseconds, () => write(options, work)),
    async now(tx) {
      // Not the start of the transaction, which may have waited for a lock since.
      const rows = await tx.all("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now");
      return Number(rows[0]?.now);
    },
  };
}

/** One attempt. If the confirmation is lost, checks if the write was committed, and fails only if it was not. */
async function write<T>(options: PostgresDriverOptions, work: Work<T>): Promise<T> {
  const { withConnection, settings, dedup } = options;
  const ticket = dedup.take();
  const begin = `${beginText(settings, "READ COMMITTED")}; ${dedup.entry(ticket)}`;
  const { value, failure } = await withConnection(async (connection) => {
    const value = await workWithin(connection, begin, work).catch((error: unknown) => {
      // A lost transaction may still lock its writer's row.
      if (!(error instanceof ConnectionLost)) dedup.giveBack(ticket);
      throw error;
    });
    const failure = await connection.script("COMMIT").then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    return { value, failure };
  });
  if (failure === undefined) dedup.giveBack(ticket);
  else if (!(await wasKept(options, ticket))) throw failure.error;
  return value;
}

async function wasKept(
  { withConnection, settings, dedup }: PostgresDriverOptions,
  ticket: WriteTicket,
): Promise<boolean> {
  const begin = beginText(settings, "READ COMMITTED");
  try {
    return await dedup.wasKept(ticket, (question) =>
      retry(settings.retryMilliseconds, () => withConnection((connection) => transact(connection, begin, question))),
    );
  } catch (cause) {
    const message = "The connection was lost before a write was confirmed. The write may or may not be committed.";
    throw new StoreError("unavailable", message, { cause });
  }
}
