import { CHECKED_LATER, checkOptions, type OptionRules, TEXT } from "../../errors/check-options.ts";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { type EncryptionKey, keyBytes } from "../sql/encryption/encryption-key.ts";

export interface PostgresStoreOptions {
  /** Schema of the store's tables, created if missing. Default: `throughline`. */
  readonly schema?: string;
  /** Maximum connections, plus one for notifications. Default: 10. */
  readonly maxConnections?: number;
  /** Timeout for connecting in milliseconds. Default: 10,000. */
  readonly connectMilliseconds?: number;
  /** Timeout of a statement or lock in milliseconds. Default: 30,000. */
  readonly statementMilliseconds?: number;
  /** Timeout after which the database ends an idle transaction, in milliseconds. Default: 30,000. */
  readonly idleMilliseconds?: number;
  /** Maximum time to retry temporary failures in milliseconds. Default: 15,000. */
  readonly retryMilliseconds?: number;
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
  connectMilliseconds: CHECKED_LATER,
  statementMilliseconds: CHECKED_LATER,
  idleMilliseconds: CHECKED_LATER,
  retryMilliseconds: CHECKED_LATER,
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
    connectMilliseconds: wholeNumber("connectMilliseconds", options.connectMilliseconds ?? 10_000),
    statementMilliseconds: wholeNumber("statementMilliseconds", options.statementMilliseconds ?? 30_000),
    idleMilliseconds: wholeNumber("idleMilliseconds", options.idleMilliseconds ?? 30_000),
    retryMilliseconds: wholeNumber("retryMilliseconds", options.retryMilliseconds ?? 15_000),
    encryptionKey: encryptionKey === undefined ? undefined : keyBytes(encryptionKey),
  };
}

function wholeNumber(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= MAX_MILLISECONDS) return value;
  throw new InvalidOptionError(name, value, `an integer from 1 to ${MAX_MILLISECONDS}`);
}
