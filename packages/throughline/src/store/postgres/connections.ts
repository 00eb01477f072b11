import type { SqlRow, SqlValue } from "../sql/sql-driver.ts";

interface PostgresResult {
  readonly rows: readonly SqlRow[];
  readonly changed: number;
}

/** A connection in the hands of one transaction. */
export interface PostgresConnection {
  /** One statement, with `$1`, `$2` … for its parameters. */
  query(text: string, params?: readonly SqlValue[]): Promise<PostgresResult>;
  /** Statements without parameters, in one round trip. */
  script(text: string): Promise<void>;
}

/** Lends a connection. One that comes back within a transaction or broken is not lent again. */
export type Lend = <T>(work: (connection: PostgresConnection) => Promise<T>) => Promise<T>;

/** Connections to one database: a pool, or the single one of a database within the process. */
export interface PostgresConnections {
  readonly lend: Lend;
  /** The same for statements that may take their time. */
  readonly lendForLong: Lend;
  /** Hears what is sent to a channel, over a connection of its own, until that is stopped or lost. */
  listen(channel: string, hear: (payload: string) => void, onLost: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** A connection broke, or there was none to be had: what was asked was not answered. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super("The connection was lost.", { cause });
  }
}
