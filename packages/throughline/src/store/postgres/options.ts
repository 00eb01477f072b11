import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { type EncryptionKey, keyBytes } from "../sql/encryption/encryption-key.ts";

export interface PostgresStoreOptions {
  /** The schema that holds the store's tables, made where it is missing. `throughline` where none is given. */
  readonly schema?: string;
  /** How many connections at most, one more where news are listened to. 10 where nothing is given. */
  readonly maxConnections?: number;
  /** How long a connection may take to be made: 10 seconds where nothing is given. */
  readonly connectMilliseconds?: number;
  /** How long a statement may run or wait for a lock: 30 seconds where nothing is given. */
  readonly statementMilliseconds?: number;
  /** How long the database keeps a transaction of which it hears nothing more: 30 seconds where nothing is given. */
  readonly idleMilliseconds?: number;
  /** For how long what failed for a reason that passes is tried again: 15 seconds where nothing is given. */
  readonly retryMilliseconds?: number;
  /** Seals all content with it; new tables are encrypted then, and those that are open with no other key. */
  readonly encryptionKey?: EncryptionKey;
}

export interface PostgresSettings extends Required<Omit<PostgresStoreOptions, "encryptionKey">> {
  readonly encryptionKey: Uint8Array | undefined;
  /** The schema as it stands in a statement. */
  readonly schemaName: string;
}

// PostgreSQL cuts longer names without a word, and two schemas would be one.
const MAX_NAME_LENGTH = 63;
// A day, in milliseconds: far more than anything here may take.
const LARGEST = 86_400_000;

export function checkPostgresOptions(options: PostgresStoreOptions): PostgresSettings {
  const schema = options.schema ?? "throughline";
  const bytes = new TextEncoder().encode(schema).length;
  const isName = bytes > 0 && bytes <= MAX_NAME_LENGTH && !schema.includes("\0") && schema.isWellFormed();
  if (!isName)
    throw new InvalidOptionError("schema", JSON.stringify(schema), `a name of 1 to ${MAX_NAME_LENGTH} bytes`);
  // In a search path, even in quotes, `$user` is whoever is connected: tables would end up in a schema of that name.
  if (schema === "$user" || schema.startsWith("pg_")) {
    throw new InvalidOptionError("schema", JSON.stringify(schema), "a name that PostgreSQL has no use of its own for");
  }
  const { encryptionKey } = options;
  return {
    schema,
    schemaName: `"${schema.replaceAll('"', '""')}"`,
    maxConnections: wholeNumber("maxConnections", options.maxConnections ?? 10),
    connectMilliseconds: wholeNumber("connectMilliseconds", options.connectMilliseconds ?? 10_000),
    statementMilliseconds: wholeNumber("statementMilliseconds", options.statementMilliseconds ?? 30_000),
    idleMilliseconds: wholeNumber("idleMilliseconds", options.idleMilliseconds ?? 30_000),
    retryMilliseconds: wholeNumber("retryMilliseconds", options.retryMilliseconds ?? 15_000),
    encryptionKey: encryptionKey === undefined ? undefined : keyBytes(encryptionKey),
  };
}

function wholeNumber(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= LARGEST) return value;
  throw new InvalidOptionError(name, value, `a whole number from 1 to ${LARGEST}`);
}
