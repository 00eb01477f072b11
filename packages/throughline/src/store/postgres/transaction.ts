import type { SqlTransaction } from "../sql/sql-driver.ts";
import { ConnectionLost, type PostgresConnection } from "./connections.ts";
import { numberParameters } from "./number-parameters.ts";
import type { PostgresSettings } from "./options.ts";

export type Work<T> = (tx: SqlTransaction) => Promise<T>;

/** What a transaction begins with. Settings end with it, so that a pooler may stand in between. */
export function beginText(settings: PostgresSettings, mode: string): string {
  return `BEGIN ISOLATION LEVEL ${mode};
    SET LOCAL search_path TO ${settings.schemaName};
    SET LOCAL statement_timeout TO ${settings.statementMilliseconds};
    SET LOCAL idle_in_transaction_session_timeout TO ${settings.idleMilliseconds}`;
}

/** One transaction. */
export async function transact<T>(connection: PostgresConnection, begin: string, work: Work<T>): Promise<T> {
  const value = await workWithin(connection, begin, work);
  await connection.script("COMMIT");
  return value;
}

/** All of a transaction but its end. */
export async function workWithin<T>(connection: PostgresConnection, begin: string, work: Work<T>): Promise<T> {
  const statements = new Statements(connection);
  try {
    await connection.script(begin);
    const value = await work(statements);
    // PostgreSQL takes nothing after a failed statement, and answers COMMIT with a silent ROLLBACK.
    if (statements.failure !== undefined) throw statements.failure.error;
    return value;
  } catch (error) {
    if (!(error instanceof ConnectionLost)) await rollBack(connection);
    throw error;
  }
}

/** Where this fails too, the connection is lost and with it the transaction: the first error tells more. */
async function rollBack(connection: PostgresConnection): Promise<void> {
  await Promise.allSettled([connection.script("ROLLBACK")]);
}

class Statements implements SqlTransaction {
  failure: { readonly error: unknown } | undefined;
  readonly #connection: PostgresConnection;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  all: SqlTransaction["all"] = async (sql, params) => (await this.#query(sql, params)).rows;

  run: SqlTransaction["run"] = async (sql, params) => (await this.#query(sql, params)).changed;

  async #query(...[sql, params]: Parameters<SqlTransaction["all"]>) {
    try {
      return await this.#connection.query(numberParameters(sql), params);
    } catch (error) {
      this.failure ??= { error };
      throw error;
    }
  }
}
