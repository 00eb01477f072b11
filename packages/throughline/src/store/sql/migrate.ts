import { StoreError } from "../../errors/store-errors.ts";
import { messageOf } from "../../internal/text.ts";
import { MIGRATIONS, type Migration } from "./migrations/migrations.ts";
import { optionalNumberOf } from "./row-values.ts";
import { DIALECTS, type DialectName, type SqlDriver, type SqlTransaction } from "./sql-driver.ts";

const JOURNAL = "throughline_migrations";

/**
 * Migrates a database to the latest version, one journalled transaction per step. A file is copied before. The copy
 * stays for a while; a purge deletes it.
 *
 * @throws StoreError `newer-version` or `not-ours`; nothing is written then.
 */
export async function migrate(driver: SqlDriver, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  const latest = migrations.at(-1)?.number ?? 0;
  const version = await driver.read((tx) => versionOf(tx, driver.dialect));
  if (version > latest) {
    throw new StoreError(
      "newer-version",
      `The database has schema version ${version}; this release supports up to ${latest}.`,
    );
  }
  const pending = migrations.filter(({ number }) => number > version);
  if (pending.length === 0) return;
  const backup = version === 0 ? undefined : await driver.backUp?.(version);
  try {
    for (const migration of pending) await driver.write((tx) => apply(tx, driver.dialect, migration));
  } catch (cause) {
    throw backup === undefined ? cause : migrationFailed(cause, backup);
  }
}

function migrationFailed(cause: unknown, path: string): StoreError {
  const [problem, why] =
    cause instanceof StoreError ? [cause.problem, cause.summary] : (["unavailable", messageOf(cause)] as const);
  const hint = `The failed step was rolled back. A copy from before the migration is at ${path}.`;
  return new StoreError(problem, `Could not migrate the database: ${why}`, { cause, hint });
}

/** Schema version of a database; 0 if it is empty. */
export async function versionOf(tx: SqlTransaction, dialect: DialectName): Promise<number> {
  const names = (await tx.all(DIALECTS[dialect].tableNames)).map(({ name }) => name);
  if (names.length === 0) return 0;
  if (!names.includes(JOURNAL)) {
    throw new StoreError(
      "not-ours",
      `The database belongs to another program (tables: ${names.slice(0, 3).join(", ")}).`,
    );
  }
  const [row] = await tx.all(`SELECT MAX(number) AS version FROM ${JOURNAL}`);
  return (row && optionalNumberOf(row, "version")) ?? 0;
}

async function apply(tx: SqlTransaction, dialect: DialectName, migration: Migration): Promise<void> {
  const { lockMigrations } = DIALECTS[dialect];
  if (lockMigrations !== undefined) await tx.all(lockMigrations);
  // Another process may have migrated meanwhile.
  if ((await versionOf(tx, dialect)) >= migration.number) return;
  await createJournal(tx, dialect);
  for (const statement of migration.statements(dialect)) await tx.run(statement);
  await tx.run(`INSERT INTO ${JOURNAL} (number, name, applied_at) VALUES (?, ?, ?)`, [
    migration.number,
    migration.name,
    Date.now(),
  ]);
}

/** Creates the migration journal, which marks a database as ours. */
export async function createJournal(tx: SqlTransaction, dialect: DialectName): Promise<void> {
  const { integer, number } = DIALECTS[dialect];
  await tx.run(
    `CREATE TABLE IF NOT EXISTS ${JOURNAL} (number ${integer} PRIMARY KEY, name TEXT NOT NULL, applied_at ${number} NOT NULL)`,
  );
}
