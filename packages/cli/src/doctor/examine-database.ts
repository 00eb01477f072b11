import {
  checkPostgresOptions,
  checkSealed,
  createPostgresDriver,
  DIALECTS,
  LATEST_VERSION,
  noWriteDedup,
  numberOf,
  PostgresPool,
  readKeptKey,
  type SqlTransaction,
  type StoreTransaction,
  versionOf,
  withStoreErrors,
} from "throughline/internal/sql";
import type { Examination } from "./examine-data.ts";
import { readTables, withKey } from "./read-tables.ts";

const SIZE = `SELECT COALESCE(SUM(pg_total_relation_size(pg_class.oid)), 0)::bigint AS bytes
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = current_schema() AND relkind = 'r'`;

/** Examines a PostgreSQL database in one read-only transaction. Creates nothing. */
export async function examineDatabase(url: string, key: Uint8Array | undefined): Promise<Partial<Examination>> {
  const settings = checkPostgresOptions({});
  const pool = new PostgresPool(url, settings);
  try {
    const driver = createPostgresDriver({ withConnection: pool.withConnection, settings, dedup: noWriteDedup });
    return await withStoreErrors(() => driver.read((tx) => look(tx, key)));
  } finally {
    await pool.close();
  }
}

async function look(tx: SqlTransaction, key: Uint8Array | undefined): Promise<Partial<Examination>> {
  const version = await versionOf(tx, "postgres");
  const [size] = await tx.all(SIZE);
  const [server] = await tx.all("SHOW server_version");
  const known = {
    version,
    latestVersion: LATEST_VERSION,
    bytes: size === undefined ? 0 : numberOf(size, "bytes"),
    usedBy: null,
    postgres: String(server?.server_version),
  };
  // A newer version is not examined further, and an empty database has nothing.
  if (version > LATEST_VERSION || version === 0) return known;
  const sealed = await withKey(tx, "postgres", key);
  const encryption = await examineEncrypted(sealed, key !== undefined);
  return { ...known, ...encryption, ...(await readTables(sealed, "postgres")) };
}

async function examineEncrypted(
  tx: StoreTransaction,
  hasKey: boolean,
): Promise<Pick<Examination, "encryption" | "problems">> {
  if ((await readKeptKey(tx, "postgres")) === undefined) {
    return {
      encryption: "none",
      problems: hasKey ? ["An encryption key is set, but the database is not encrypted. Unset the key."] : [],
    };
  }
  if (tx.cipher === undefined) {
    return {
      encryption: "not-checked",
      problems: hasKey ? ["The database is encrypted with another key. Set that key."] : [],
    };
  }
  const tables = (await tx.all(DIALECTS.postgres.tableNames)).map(({ name }) => String(name));
  return { encryption: "checked", problems: await checkSealed(tx, tables) };
}
