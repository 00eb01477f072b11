import { open } from "node:fs/promises";
import process from "node:process";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import type { Command } from "commander";
import { InvalidMessageError, type Message } from "throughline";
import { UniqueIds } from "throughline/internal/engine";
import { APPLICATION_ID, toStoreError } from "throughline/internal/sql";
import { omitUndefined } from "throughline/internal/util";
import { legacyToRichMessage } from "throughline/messages";
import type { LegacyBatch, LegacyCursor, SqlStore, UnreadableLegacy } from "throughline/sqlite";
import { loadSqlite } from "../data/data-location.ts";
import { type CommandOptions, findData, LOCAL_USER, withStoredData, withTarget } from "../data/open-data.ts";
import { ImportWriter, type SessionCounts } from "../import/import-writer.ts";
import { printSessionCounts } from "../import/print-import.ts";
import { interruptible } from "../terminal/interruption.ts";
import { jsonOption, modelOption } from "../terminal/options.ts";
import { count, printableLine, printResult } from "../terminal/print-values.ts";
import { Progress } from "../terminal/progress.ts";
import { EXIT, InputError, UsageError } from "../usage-error.ts";
import { type LegacyRow, LegacyTable } from "./legacy-table.ts";

/** Minimum rows to show progress for. */
const WORTH_SHOWING = 500;
const GOES_ON = "Everything added so far is stored; run the same command again to continue.";

interface LegacyOptions extends CommandOptions {
  readonly from?: string;
  readonly table: string;
  readonly model: string;
}

type MigrateOptions = LegacyOptions & { readonly from: string };

export function addMigrateLegacyCommand(program: Command): void {
  program
    .command("migrate-legacy")
    .summary("Import a flat message table")
    .description(
      "Import messages from a flat table: one row per message, with AI SDK JSON as content. Without --from, " +
        "convert such rows in Throughline's own data.",
    )
    .option("--from <file>", "SQLite database with the table; it is opened read-only")
    .option(
      "--table <name>",
      "Table with the columns id, session_id, role, content and optionally created_at",
      "messages",
    )
    .addOption(modelOption())
    .option("--dry-run", "Print what would be added, and add nothing")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline migrate-legacy --from old.db --dry-run")
    .action((_, command: Command) => migrateLegacy(command.optsWithGlobals()));
}

async function migrateLegacy(options: LegacyOptions): Promise<void> {
  const { from } = options;
  if (from === undefined) return convertOwn(options);
  const migration = await interruptible(GOES_ON, (signal) => migrate({ ...options, from }, signal));
  printResult(options, migration, () => printMigration(migration));
  const { unreadable, sessions } = migration;
  if (unreadable.length > 0 || sessions.some(({ different }) => different.length > 0)) process.exitCode = EXIT.failed;
}

async function convertOwn(options: LegacyOptions): Promise<void> {
  if (options.dryRun)
    throw new UsageError(
      "--dry-run requires --from.",
      "Add --from FILE. To count the messages in the old format, run `throughline doctor`.",
    );
  const { file } = findData(options);
  const conversion = (await withStoredData(options, ({ store }) => {
    const progress = new Progress("Converting", 0);
    return interruptible(GOES_ON, (signal) => convertStored(store, file, progress, signal)).finally(() =>
      progress.end(),
    );
  })) ?? { data: file, converted: 0, unreadable: [] };
  printResult(options, conversion, () => printConversion(conversion));
  if (conversion.unreadable.length > 0) process.exitCode = EXIT.failed;
}

function migrate(options: MigrateOptions, signal: AbortSignal): Promise<Migration> {
  const { from, dryRun = false, model: modelId, table: name } = options;
  return withLegacyDatabase(from, async (database) => {
    const table = new LegacyTable(database, name);
    const rows = table.size;
    const progress = new Progress("Migrating", rows < WORTH_SHOWING ? 0 : rows);
    const { sessions, unreadable } = await withTarget(options, async (open) => {
      const store = async () => (await open()).store;
      const writer = new ImportWriter(store, { userId: LOCAL_USER, modelId, dryRun });
      try {
        const unreadable = await migrateTable(table, writer, progress, signal);
        return { sessions: writer.sessions, unreadable };
      } finally {
        progress.end();
      }
    });
    return { data: findData(options).file, from, dryRun, rows, sessions, unreadable };
  });
}

/** The result of converting Throughline's own data. */
interface Conversion {
  readonly data: string;
  readonly converted: number;
  readonly unreadable: readonly UnreadableLegacy[];
}

/**
 * Converts messages of the old flat format in Throughline's own data, in batches. An interrupted run continues when it
 * is repeated.
 */
async function convertStored(
  store: SqlStore,
  data: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<Conversion> {
  const unreadable: UnreadableLegacy[] = [];
  let converted = 0;
  let after: LegacyCursor | undefined;
  do {
    const batch: LegacyBatch = await store.convertLegacy(after);
    converted += batch.converted;
    unreadable.push(...batch.unreadable);
    progress.advance(batch.converted + batch.unreadable.length);
    after = batch.next;
    await setImmediate();
    signal.throwIfAborted();
  } while (after !== undefined);
  return { data, converted, unreadable };
}

function printConversion({ data, converted, unreadable }: Conversion): string {
  const lines = [
    converted === 0 && unreadable.length === 0
      ? `No messages in the old format in ${data}.`
      : `Converted ${count(converted, "message")} in ${data} from the old format.`,
    ...unreadable.map(
      ({ sessionId, id, problem }) =>
        `  session ${printableLine(sessionId)}, id ${printableLine(id)} was not converted: ${printableLine(problem)}`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

const ROWS_SHOWN = 20;

interface Migration {
  readonly data: string;
  readonly from: string;
  readonly dryRun: boolean;
  readonly rows: number;
  readonly sessions: readonly SessionCounts[];
  readonly unreadable: readonly UnreadableRow[];
}

function printMigration({ data, dryRun, sessions, unreadable }: Migration): string {
  const hidden = unreadable.length - ROWS_SHOWN;
  const lines = [
    ...(sessions.length === 0 ? ["Nothing to migrate."] : printSessionCounts(sessions, data, dryRun)),
    ...(unreadable.length === 0 ? [] : [`${count(unreadable.length, "row")} could not be read:`]),
    ...unreadable.slice(0, ROWS_SHOWN).map(row),
    ...(hidden > 0 ? [`… and ${count(hidden, "more row")}; --json prints all.`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function row({ sessionId, id, problem }: UnreadableRow): string {
  return `  session ${printableLine(sessionId ?? "–")}, id ${printableLine(id ?? "–")}: ${printableLine(problem)}`;
}

/** Milliseconds to wait while the other program writes to its file. */
const BUSY_TIMEOUT_MS = 5_000;

/** Opens another program's SQLite file read-only. */
async function withLegacyDatabase<T>(file: string, work: (database: DatabaseSync) => Promise<T>): Promise<T> {
  await checkReadable(file);
  await loadSqlite();
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    refuseOurs(file, database);
    return await work(database);
  } catch (error) {
    throw toStoreError(error, file);
  } finally {
    database.close();
  }
}

/** SQLite's own error for a missing file is not helpful. */
async function checkReadable(file: string): Promise<void> {
  try {
    const handle = await open(file);
    try {
      if ((await handle.stat()).isDirectory())
        throw new UsageError(`Not a file: ${file} is a folder.`, "Give the SQLite file with --from.");
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
      if (bytesRead > 0 && buffer.toString("latin1") !== "SQLite format 3\0") {
        throw new UsageError(`Not an SQLite database: ${file}.`, "Give the database with the messages: --from FILE.");
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof UsageError ? error : new InputError(file, error);
  }
}

function refuseOurs(file: string, database: DatabaseSync): void {
  const row = database.prepare("PRAGMA application_id").get();
  if (row?.application_id !== APPLICATION_ID) return;
  throw new UsageError(
    `Cannot migrate ${file}: it is a Throughline database.`,
    "--from expects the database of another program. To use Throughline data, select its folder with --data.",
  );
}

/** Rows between checks for Ctrl-C. */
const PAUSE = 50;

/** A row that is not a message, and the reason. */
interface UnreadableRow {
  readonly sessionId: string | null;
  readonly id: string | null;
  readonly problem: string;
}

/** Passes every valid row to the writer, and returns the others. */
async function migrateTable(
  table: LegacyTable,
  writer: ImportWriter,
  progress: Progress,
  signal: AbortSignal,
): Promise<UnreadableRow[]> {
  const unreadable: UnreadableRow[] = [];
  let [session, ids] = ["", new UniqueIds()];
  let count = 0;
  for (const row of table.rows()) {
    const read = readRow(row);
    if (!("parts" in read)) unreadable.push(read);
    else {
      if (read.sessionId !== session) [session, ids] = [read.sessionId, new UniqueIds()];
      // Some tables have duplicate ids; both rows are messages.
      await writer.add({ ...read, id: ids.take(read.id) });
    }
    progress.advance(1);
    count += 1;
    if (count % PAUSE === 0) await setImmediate();
    signal.throwIfAborted();
  }
  await writer.flush();
  return unreadable;
}

function readRow({ id, sessionId, role = "", content, createdAt }: LegacyRow): Message | UnreadableRow {
  const unreadable = (problem: string) => ({ sessionId: sessionId ?? null, id: id ?? null, problem });
  if (id === undefined || sessionId === undefined) return unreadable(`no ${id === undefined ? "id" : "session_id"}`);
  if (content === undefined) return unreadable("no content");
  try {
    return legacyToRichMessage(omitUndefined({ id, sessionId, role, content, createdAt }));
  } catch (error) {
    if (error instanceof InvalidMessageError) return unreadable(error.problem);
    throw error;
  }
}
