import { readdir, readlink, realpath, stat } from "node:fs/promises";
import process from "node:process";
import { StoreError } from "throughline";
import { findMigrationBackups, type MigrationBackup } from "throughline/internal/sql";
import { omitUndefined } from "throughline/internal/util";
import type { DataLocation } from "../data/data-location.ts";
import { findEncryptionKey, loadSqlite } from "../data/data-location.ts";
import { count, printableLine } from "../terminal/print-values.ts";
import { NO_TABLES, readTables, type TableFindings, withKey } from "./read-tables.ts";

export interface Examination extends TableFindings {
  readonly data: string;
  readonly exists: boolean;
  /** Bytes of the file and its write-ahead log; for a database, of Throughline's tables. */
  readonly bytes: number;
  readonly logBytes: number;
  readonly version: number | null;
  /** The newest schema version that this Throughline supports. */
  readonly latestVersion: number | null;
  /** True if the content is encrypted, and if it was checked (needs the key). */
  readonly encryption: "none" | "not-checked" | "checked" | null;
  /** Copies of the file from before migrations. */
  readonly backups: readonly MigrationBackup[];
  /** Other processes that have the file open; `null` if the system does not report them. */
  readonly usedBy: readonly number[] | null;
  readonly node: string;
  readonly sqlite: string;
  /** Version of the PostgreSQL server, "" if it does not answer; `null` for a file. */
  readonly postgres: string | null;
  /** Problems as sentences; empty if there are none. */
  readonly problems: readonly string[];
}

/** Examines the data without writing to it. */
export async function examineData({ file, databaseUrl }: DataLocation, exists: boolean): Promise<Examination> {
  const isFile = exists && databaseUrl === undefined;
  const found = await examine(async () => {
    if (isFile) return examineFile(file);
    if (databaseUrl === undefined) return {};
    // Loaded here, so that users of a file do not wait for it.
    const { examineDatabase } = await import("./examine-database.ts");
    return examineDatabase(databaseUrl, findEncryptionKey());
  });
  const { version, latestVersion, problems = [] } = found;
  return {
    data: file,
    exists,
    bytes: isFile ? (await stat(file)).size : 0,
    logBytes: isFile ? await sizeOf(`${file}-wal`) : 0,
    encryption: null,
    ...NO_TABLES,
    backups: isFile ? findMigrationBackups(file) : [],
    usedBy: isFile ? ((await findOtherProcesses(file)) ?? null) : [],
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? "",
    postgres: databaseUrl === undefined ? null : "",
    ...found,
    version: version ?? null,
    latestVersion: latestVersion ?? null,
    problems: [...newerVersion(version ?? 0, latestVersion ?? 0), ...problems, ...deadJobs(found)],
  };
}

type Findings = Partial<Examination>;

async function examine(look: () => Promise<Findings>): Promise<Findings> {
  try {
    return await look();
  } catch (error) {
    // A store error is a finding, not a failure of the doctor.
    if (error instanceof StoreError) return { problems: [error.message] };
    throw error;
  }
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function examineFile(file: string): Promise<Findings> {
  const { checkSqlite, openForReading } = await loadSqlite();
  const encryptionKey = findEncryptionKey();
  const found = await checkSqlite(file, omitUndefined({ encryptionKey }));
  // Damaged data, or data of a newer version, is not examined further.
  if (found.problems.length > 0 || found.version > found.latestVersion) return found;

  const connection = openForReading(file);
  try {
    return { ...found, ...(await readTables(await withKey(connection, "sqlite", encryptionKey), "sqlite")) };
  } finally {
    connection.close();
  }
}

function newerVersion(version: number, latest: number): readonly string[] {
  if (version <= latest) return [];
  return [`The data has schema version ${version}, but this release supports up to ${latest}. Update Throughline.`];
}

function deadJobs({ jobs, deadJobs: listed = [] }: Findings): readonly string[] {
  const unlisted = (jobs?.dead ?? 0) - listed.length;
  return [
    ...listed.map(
      ({ id, kind, attempts, lastError }) =>
        `Job ${id} (${kind}) failed permanently after ${count(attempts, "attempt")}${lastError === null ? "" : ` (${printableLine(lastError)})`}. ` +
        `Retry it: throughline jobs retry ${id}`,
    ),
    ...(unlisted > 0 ? [`${unlisted} more jobs failed permanently. List them: throughline jobs --state dead`] : []),
  ];
}

/**
 * Ids of other processes that have a file open, as far as this user can see; `undefined` if the system does not report
 * them.
 */
async function findOtherProcesses(file: string): Promise<number[] | undefined> {
  if (process.platform !== "linux") return undefined;
  const wanted = await realpath(file);
  const processes = (await readdir("/proc")).map(Number).filter((id) => Number.isInteger(id) && id !== process.pid);
  const users = await Promise.all(processes.map(async (id) => ((await hasOpen(id, wanted)) ? [id] : [])));
  return users.flat();
}

async function hasOpen(id: number, wanted: string): Promise<boolean> {
  // The process may belong to another user, or end in the meantime.
  const files = await readdir(`/proc/${id}/fd`).catch(() => []);
  const paths = await Promise.all(files.map((name) => readlink(`/proc/${id}/fd/${name}`).catch(() => "")));
  return paths.includes(wanted);
}
