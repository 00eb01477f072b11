import { randomUUID } from "node:crypto";
import { StoreError } from "../../errors/store-errors.ts";
import type { SqlDriver, SqlRow, SqlStatement, SqlTransaction } from "../sql/sql-driver.ts";
import { ConnectionLost, type PostgresConnection, type PostgresSettings, type WithConnection } from "./connections.ts";
import { retry } from "./store-problem.ts";

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
  const { retryTimeout } = settings;
  const begin = beginText(settings, "REPEATABLE READ READ ONLY");
  return {
    dialect: "postgres",
    select: (statements) =>
      retry(retryTimeout, () => withConnection((connection) => selectWithin(connection, begin, statements))),
    read: (work) => retry(retryTimeout, () => withConnection((connection) => readWithin(connection, begin, work))),
    write: (work) => retry(retryTimeout, () => write(options, work)),
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
      retry(settings.retryTimeout, () => withConnection((connection) => transact(connection, begin, question))),
    );
  } catch (cause) {
    const message = "The connection was lost before a write was confirmed. The write may or may not be committed.";
    throw new StoreError("unavailable", message, { cause });
  }
}

type Work<T> = (tx: SqlTransaction) => Promise<T>;

/** SQL that starts a transaction. Settings are local to it, so connection poolers work. */
export function beginText(settings: PostgresSettings, mode: string): string {
  return `BEGIN ISOLATION LEVEL ${mode};
    SET LOCAL search_path TO ${settings.schemaName};
    SET LOCAL statement_timeout TO ${settings.statementTimeout};
    SET LOCAL idle_in_transaction_session_timeout TO ${settings.idleTimeout}`;
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
async function selectWithin(
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

/** A writer, which runs one transaction at a time, and the number of the transaction. */
interface WriteTicket {
  readonly writer: string;
  readonly sequence: number;
}

/** Finds out if a transaction was committed whose confirmation was lost. */
interface WriteDedup {
  take(): WriteTicket;
  /** Returns a ticket for the next transaction. A ticket that is not returned is never reused. */
  giveBack(ticket: WriteTicket): void;
  /** SQL that a transaction runs to record its number. */
  entry(ticket: WriteTicket): string;
  /** `ask` runs a separate transaction. */
  wasKept(ticket: WriteTicket, ask: (question: Work<boolean>) => Promise<boolean>): Promise<boolean>;
}

/**
 * Deduplication in the database. Each transaction stores its number in its writer's row, so the row names the last
 * committed one. `pg_xact_status` would not do: after a crash the server reuses transaction ids, and a lost transaction
 * could look committed.
 */
export function createWriteDedup(): WriteDedup & { clear(tx: SqlTransaction): Promise<void> } {
  const store = randomUUID();
  const free: WriteTicket[] = [];
  let writers = 0;
  return {
    take() {
      const last = free.pop();
      if (last !== undefined) return { writer: last.writer, sequence: last.sequence + 1 };
      writers += 1;
      return { writer: `${store}/${writers}`, sequence: 1 };
    },
    giveBack(ticket) {
      free.push(ticket);
    },
    entry: ({ writer, sequence }) =>
      `INSERT INTO writers VALUES ('${writer}', ${sequence}, now()) ON CONFLICT (writer)
       DO UPDATE SET sequence = excluded.sequence, written_at = excluded.written_at`,
    wasKept: ({ writer, sequence }, ask) =>
      ask(async (tx) => {
        // An insert waits for a running transaction that wrote the same row; a select does not.
        const rows = await tx.all(
          `INSERT INTO writers AS w VALUES (?, 0, now()) ON CONFLICT (writer)
           DO UPDATE SET written_at = excluded.written_at RETURNING w.sequence`,
          [writer],
        );
        return rows[0]?.sequence === sequence;
      }),
    async clear(tx) {
      await tx.run("DELETE FROM writers WHERE starts_with(writer, ?)", [`${store}/`]);
    },
  };
}

/** For transactions that are idempotent and may simply be repeated. */
export const noWriteDedup: WriteDedup = {
  take: () => ({ writer: "", sequence: 0 }),
  giveBack: () => undefined,
  entry: () => "",
  wasKept: async () => false,
};

/** Creates the table, and removes writers that ended without cleaning up: a ticket is looked up within minutes. */
export async function prepareWriteDedup(tx: SqlTransaction): Promise<void> {
  const [found] = await tx.all(
    `SELECT to_regclass('writers') IS NOT NULL AS is_there, current_setting('transaction_read_only') = 'on' AS is_fixed`,
  );
  if (found?.is_there !== 1) {
    await tx.run(`CREATE TABLE writers (
      writer text PRIMARY KEY, sequence bigint NOT NULL, written_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`);
  }
  // A read-only database can still be read.
  if (found?.is_fixed !== 1) await tx.run("DELETE FROM writers WHERE written_at < now() - interval '1 day'");
}
