import type { SqlRow, SqlStatement, SqlTransaction } from "../sql/sql-driver.ts";
import { ConnectionLost, type PostgresConnection } from "./connections.ts";
import type { PostgresSettings } from "./options.ts";

export type Work<T> = (tx: SqlTransaction) => Promise<T>;

/** SQL that starts a transaction. Settings are local to it, so connection poolers work. */
export function beginText(settings: PostgresSettings, mode: string): string {
  return `BEGIN ISOLATION LEVEL ${mode};
    SET LOCAL search_path TO ${settings.schemaName};
    SET LOCAL statement_timeout TO ${settings.statementMilliseconds};
    SET LOCAL idle_in_transaction_session_timeout TO ${settings.idleMilliseconds}`;
}

/** Runs one transaction. */
export async function transact<T>(connection: PostgresConnection, begin: string, work: Work<T>): Promise<T> {
  const value = await workWithin(connection, begin, work);
  await connection.script("COMMIT");
  return value;
}

/** Runs one read-only transaction. Callers do not wait for its end, because the result is known before. */
export async function readWithin<T>(connection: PostgresConnection, begin: string, work: Work<T>): Promise<T> {
  const value = await workWithin(connection, begin, work);
  connection.finish("COMMIT");
  return value;
}

/** Runs the statements of one transaction that only reads, and sends all of them at once. */
export async function selectWithin(
  connection: PostgresConnection,
  begin: string,
  statements: readonly SqlStatement[],
): Promise<readonly (readonly SqlRow[])[]> {
  const [begun, ...results] = connection.together(() => {
    const sent = [
      connection.script(begin),
      ...statements.map(([sql, params]) => connection.query(numberParameters(sql), params)),
    ] as const;
    connection.finish("COMMIT");
    return sent;
  });
  // The first failure is the cause of all others.
  const failed = (await Promise.allSettled([begun, ...results])).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return Promise.all(results.map(async (result) => (await result).rows));
}

/** Runs a transaction up to its commit. */
export async function workWithin<T>(connection: PostgresConnection, begin: string, work: Work<T>): Promise<T> {
  const statements = new Statements(connection);
  // The first statement is sent without waiting for the answer: if the transaction cannot begin, it fails too.
  const [begun, working] = connection.together(() => [connection.script(begin), work(statements)] as const);
  begun.catch(() => undefined);
  try {
    const value = await working;
    await begun;
    // After a failed statement PostgreSQL refuses all others, and answers COMMIT with a silent ROLLBACK.
    if (statements.failure !== undefined) throw statements.failure.error;
    return value;
  } catch (error) {
    // The error of the beginning is the cause of all others.
    const [beginning] = await Promise.allSettled([begun]);
    const cause = beginning.status === "rejected" ? beginning.reason : error;
    if (!(cause instanceof ConnectionLost)) await rollBack(connection);
    throw cause;
  }
}

/** If the rollback fails too, the connection and its transaction are lost; the first error is more useful. */
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

// Skips strings, quoted names and comments: question marks in them are not parameters.
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

// Cache limit: statements for many rows have many lengths.
const REMEMBERED = 500;
const numbered = new Map<string, string>();

/** Replaces each `?` with `$1`, `$2` … */
export function numberParameters(sql: string): string {
  const known = numbered.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.replaceAll(TOKEN, (token) => {
    if (token !== "?") return token;
    count += 1;
    return `$${count}`;
  });
  if (numbered.size >= REMEMBERED) numbered.clear();
  numbered.set(sql, text);
  return text;
}
