import type { SqlRow, SqlValue } from "../sql/sql-driver.ts";

interface PostgresResult {
  readonly rows: readonly SqlRow[];
  readonly changed: number;
}

/** A connection during one transaction. */
export interface PostgresConnection {
  /** Runs one statement with parameters `$1`, `$2` … */
  query(text: string, params?: readonly SqlValue[]): Promise<PostgresResult>;
  /** Runs statements without parameters in one round trip. */
  script(text: string): Promise<void>;
  /** Runs code that sends several statements. They leave in one piece, which saves system calls. */
  together<T>(send: () => T): T;
  /** Sends the last statement. The connection is reused after its response, and callers do not wait for it. */
  finish(text: string): void;
}

/** Runs work with a connection. A connection that is returned broken or inside a transaction is not reused. */
export type WithConnection = <T>(work: (connection: PostgresConnection) => Promise<T>) => Promise<T>;

/** Connections to one database: a pool, or the single connection of an in-process database. */
export interface PostgresConnections {
  readonly withConnection: WithConnection;
  /** Same as `withConnection`, for long statements. */
  readonly withLongConnection: WithConnection;
  /** Receives notifications of a channel over a separate connection, until stopped or disconnected. */
  listen(channel: string, hear: (payload: string) => void, onLost: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** The connection broke or could not be made: the request was not answered. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super("The connection to the database was lost.", { cause });
  }
}
