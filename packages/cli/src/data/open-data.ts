import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { createThroughline, inProcessStore, type Store, StoreError, type Throughline } from "throughline";
import { omitUndefined, projectOfSpace, type Workspace } from "throughline/internal";
import type { SqlStore } from "throughline/sqlite";
import { surroundings } from "../config/environment.ts";
import { UsageError } from "../usage-error.ts";
import { type DataPlace, dataPlace } from "./data-location.ts";
import { findEncryptionKey, loadSqlite } from "./sqlite-module.ts";

/** Whose sessions and memories the command line keeps: nobody but the user of the machine is there. */
export const OWNER = "local";

const PAGE = 500;

/** The options that say where the data is, and from which project it is looked at. */
export interface DataOptions {
  readonly data?: string;
  readonly project?: string;
  /** The folder of the project's files, if it was named by a path; no option of any command. */
  readonly projectRoot?: string;
  /** What is on disk of the project; no option of any command. */
  readonly workspace?: Workspace;
}

/** Sessions and memories. */
export interface OpenData {
  readonly store: Store;
  readonly throughline: Throughline;
}

/** Sessions and memories that outlive the process. */
export interface KeptData extends OpenData {
  readonly file: string;
  readonly store: SqlStore;
}

interface FoundData extends DataPlace {
  /** Of a database that is always said: nobody made it by accident, and it has its tables from the first use on. */
  readonly exists: boolean;
}

/** Where the data is, or would be. */
export function findData(options: DataOptions): FoundData {
  const place = dataPlace(options.data, surroundings());
  return { ...place, exists: place.databaseUrl !== undefined || existsSync(place.file) };
}

/**
 * The same for what is done to a file alone.
 *
 * @throws UsageError where the data is in a database; `instead` says what does it there
 */
export function findFile(options: DataOptions, instead: string): FoundData {
  const found = findData(options);
  if (found.databaseUrl === undefined) return found;
  throw new UsageError(`The data is in ${found.file}, not in a file.`, `${instead} A file is named with --data.`);
}

/**
 * Works on the data, where there is any: `undefined` where nothing was ever kept, and then nothing is created. If no project
 * is named, the memories of all projects are seen.
 */
export async function withKeptData<T>(
  options: DataOptions,
  work: (data: KeptData) => Promise<T>,
): Promise<T | undefined> {
  const place = findData(options);
  if (!place.exists) return undefined;
  let data = await openKept(place, options);
  try {
    if (options.project === undefined) data = { ...data, throughline: await seeingAllProjects(data.store) };
    return await work(data);
  } finally {
    await close(data);
  }
}

/**
 * Works on the data, which is opened when it is asked for: the folder and the file are created then, where they are
 * missing, for the user alone.
 */
export async function withNewData<T>(
  options: DataOptions,
  work: (open: () => Promise<KeptData>) => Promise<T>,
): Promise<T> {
  const place = findData(options);
  let data: Promise<KeptData> | undefined;
  const open = () => {
    data ??= openKept(place, options);
    return data;
  };
  try {
    return await work(open);
  } finally {
    const opened = await data;
    if (opened !== undefined) await close(opened);
  }
}

/** What was given out is counted before. */
async function close({ throughline, store }: KeptData): Promise<void> {
  await throughline.context.settle();
  await store.close();
}

/** For what may be a dry run, which creates nothing: where nothing is kept yet, it looks at nothing. */
export async function withTarget<T>(
  options: DataOptions & { readonly dryRun?: boolean },
  work: (open: () => Promise<OpenData>) => Promise<T>,
): Promise<T> {
  if (!options.dryRun || findData(options).exists) return withNewData(options, work);
  return work(() => openStore(inProcessStore(), options));
}

async function openKept({ file, databaseUrl }: DataPlace, options: DataOptions): Promise<KeptData> {
  const settings = omitUndefined({ encryptionKey: findEncryptionKey() });
  if (databaseUrl !== undefined) {
    const { postgresStore } = await import("throughline/postgres");
    return { file, ...(await openStore(postgresStore(databaseUrl, settings), options)) };
  }
  await makeFolder(path.dirname(file));
  // The database, its log and every copy of it are the user's alone.
  process.umask(0o077);
  const { sqliteStore } = await loadSqlite();
  return { file, ...(await openStore(sqliteStore(file, settings), options)) };
}

async function openStore<S extends Store>(
  store: S,
  { project, workspace }: DataOptions,
): Promise<OpenData & { readonly store: S }> {
  return { store, throughline: await throughlineOf(store, project, workspace) };
}

export const LOGGER = { info: () => undefined, warn: (text: string) => process.stderr.write(`${text}\n`) };

/** What is kept in a store that is open, as it is seen from a project, and what is on disk of it. */
export function throughlineOf(
  store: Store,
  projectId: string | undefined,
  workspace?: Workspace,
): Promise<Throughline> {
  return createThroughline(omitUndefined({ store, userId: OWNER, logger: LOGGER, projectId, workspace }));
}

/** A view of the memories of all projects, private and shared. */
export async function seeingAllProjects(store: Store): Promise<Throughline> {
  const allProjects: string[] = [];
  for (let after = ""; ; ) {
    const page = await store.memories.spaces({ after, limit: PAGE });
    allProjects.push(...page.flatMap((space) => projectOfSpace(space) ?? []));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    after = last;
  }
  return createThroughline({ store, userId: OWNER, logger: LOGGER, allProjects });
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code === "EEXIST" || code === "ENOTDIR") {
      throw new UsageError(`${folder} is no folder.`, "Name another one with --data.");
    }
    throw new StoreError("read-only", `The folder ${folder} cannot be made (${code}).`, { cause });
  }
}
