import { stat } from "node:fs/promises";
import process from "node:process";
import { StoreError } from "throughline";
import { omitUndefined } from "throughline/internal";
import type { DataPlace } from "../data/data-location.ts";
import { findEncryptionKey, loadSqlite } from "../data/sqlite-module.ts";
import { count } from "../format-values.ts";
import { printableLine } from "../printable.ts";
import { findUsers } from "./find-users.ts";
import { NO_TABLES, readTables, type TableFindings, withKey } from "./read-tables.ts";

export interface Examination extends TableFindings {
  readonly data: string;
  readonly exists: boolean;
  /** In bytes: the file, and what is written but not yet in it; of a database, our tables. */
  readonly bytes: number;
  readonly logBytes: number;
  readonly version: number | null;
  /** The version that this Throughline brings a database to. */
  readonly latestVersion: number | null;
  /** Whether content is sealed, and whether it was looked into, which takes the key. */
  readonly encryption: "none" | "not-checked" | "checked" | null;
  /** Other processes that have it open; `null` where the system does not tell. */
  readonly usedBy: readonly number[] | null;
  readonly node: string;
  readonly sqlite: string;
  /** The version of the database's server, "" where it does not answer; `null` where the data is in a file. */
  readonly postgres: string | null;
  /** In plain words; empty where all is well. */
  readonly problems: readonly string[];
}

/** Looks at the data without writing to it. */
export async function examineData({ file, databaseUrl }: DataPlace, exists: boolean): Promise<Examination> {
  const isFile = exists && databaseUrl === undefined;
  const found = await examine(async () => {
    if (isFile) return examineFile(file);
    if (databaseUrl === undefined) return {};
    // Loaded here: who keeps a file does not wait for it.
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
    usedBy: isFile ? ((await findUsers(file)) ?? null) : [],
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
    // What keeps the data from being used is what a doctor is asked for.
    if (error instanceof StoreError) return { problems: [`${error.message} ${error.hint}`] };
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
  // What is damaged, or made by a version to come, is not read further.
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
  return [`Version ${version} is newer than ${latest}, which this Throughline knows: update it.`];
}

function deadJobs({ jobs, deadJobs: told = [] }: Findings): readonly string[] {
  const untold = (jobs?.dead ?? 0) - told.length;
  return [
    ...told.map(
      ({ id, kind, attempts, lastError }) =>
        `Job ${id} (${kind}) has failed for good after ${count(attempts, "attempt")}${lastError === null ? "" : ` (${printableLine(lastError)})`}. ` +
        `Try it again: throughline jobs retry ${id}`,
    ),
    ...(untold > 0 ? [`${untold} more jobs have failed for good: throughline jobs --state dead`] : []),
  ];
}
