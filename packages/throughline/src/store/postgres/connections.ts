import { CHECKED_LATER, checkOptions, type OptionRules, TEXT } from "../../errors/check-options.ts";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { StoreError } from "../../errors/store-errors.ts";
import { type EncryptionKey, keyBytes } from "../sql/encryption/encryption-key.ts";
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
  /** Runs code that sends several statements. They are sent in one packet, which saves system calls. */
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

/** Tracks running operations. Refuses new ones once closing, and waits for the running ones. */
export class Drain {
  readonly #inside = new Set<Promise<unknown>>();
  #isClosed = false;

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new StoreError("closed", "The store is closed.");
    const running = work();
    this.#inside.add(running);
    try {
      return await running;
    } finally {
      this.#inside.delete(running);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#inside);
  }
}

export interface PostgresStoreOptions {
  /** Schema of the store's tables, created if missing. Default: `throughline`. */
  readonly schema?: string;
  /** Maximum connections, plus one for notifications. Default: 10. */
  readonly maxConnections?: number;
  /** Timeout for connecting in milliseconds. Default: 10,000. */
  readonly connectTimeout?: number;
  /** Timeout of a statement or lock in milliseconds. Default: 30,000. */
  readonly statementTimeout?: number;
  /** Timeout after which the database ends an idle transaction, in milliseconds. Default: 30,000. */
  readonly idleTimeout?: number;
  /** Maximum time to retry temporary failures in milliseconds. Default: 15,000. */
  readonly retryTimeout?: number;
  /** Encrypts all content. New tables are encrypted; existing encrypted ones need the same key. */
  readonly encryptionKey?: EncryptionKey;
}

export interface PostgresSettings extends Required<Omit<PostgresStoreOptions, "encryptionKey">> {
  readonly encryptionKey: Uint8Array | undefined;
  /** The schema name, quoted for SQL. */
  readonly schemaName: string;
}

// PostgreSQL silently truncates longer names, so two schemas could collide.
const MAX_NAME_LENGTH = 63;
// One day in milliseconds.
const MAX_MILLISECONDS = 86_400_000;

const RULES: OptionRules<PostgresStoreOptions> = {
  schema: TEXT,
  maxConnections: CHECKED_LATER,
  connectTimeout: CHECKED_LATER,
  statementTimeout: CHECKED_LATER,
  idleTimeout: CHECKED_LATER,
  retryTimeout: CHECKED_LATER,
  encryptionKey: CHECKED_LATER,
};

export function checkPostgresOptions(options: PostgresStoreOptions): PostgresSettings {
  checkOptions("postgresStore", options, RULES);
  const schema = options.schema ?? "throughline";
  const bytes = new TextEncoder().encode(schema).length;
  const isName = bytes > 0 && bytes <= MAX_NAME_LENGTH && !schema.includes("\0") && schema.isWellFormed();
  if (!isName)
    throw new InvalidOptionError("schema", JSON.stringify(schema), `a name of 1 to ${MAX_NAME_LENGTH} bytes`);
  // In a search path, even quoted, `$user` means the connected user, so tables would end up in another schema.
  if (schema === "$user" || schema.startsWith("pg_")) {
    throw new InvalidOptionError("schema", JSON.stringify(schema), "a name that PostgreSQL does not reserve");
  }
  const { encryptionKey } = options;
  return {
    schema,
    schemaName: `"${schema.replaceAll('"', '""')}"`,
    maxConnections: wholeNumber("maxConnections", options.maxConnections ?? 10),
    connectTimeout: wholeNumber("connectTimeout", options.connectTimeout ?? 10_000),
    statementTimeout: wholeNumber("statementTimeout", options.statementTimeout ?? 30_000),
    idleTimeout: wholeNumber("idleTimeout", options.idleTimeout ?? 30_000),
    retryTimeout: wholeNumber("retryTimeout", options.retryTimeout ?? 15_000),
    encryptionKey: encryptionKey === undefined ? undefined : keyBytes(encryptionKey),
  };
}

function wholeNumber(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= MAX_MILLISECONDS) return value;
  throw new InvalidOptionError(name, value, `an integer from 1 to ${MAX_MILLISECONDS}`);
}
