import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { createThroughline, inProcessStore, type Model, type Store, StoreError, type Throughline } from "throughline";
import { omitUndefined, projectOfSpace, type Workspace } from "throughline/internal";
import type { SqlStore } from "throughline/sqlite";
import { environment } from "../config/environment.ts";
import type { Project } from "../project.ts";
import { UsageError } from "../usage-error.ts";
import { type DataLocation, dataLocation } from "./data-location.ts";
import { selectCurrentProject } from "./select-project.ts";
import { findEncryptionKey, loadSqlite } from "./sqlite-module.ts";

/** User id of everything that the command line stores. */
export const LOCAL_USER = "local";

const PAGE = 500;

/** Options for the data location and the project. */
export interface DataOptions {
  readonly data?: string;
  readonly project?: string;
  readonly allProjects?: boolean;
  /** Project of the current folder, for commands without `--project`. Not a command-line option. */
  readonly currentProject?: Project;
  /** Folder of the project's files, if it was given as a path. Not a command-line option. */
  readonly projectRoot?: string;
  /** The project on disk. Not a command-line option. */
  readonly workspace?: Workspace;
  /** Model that writes summaries. Not a command-line option. */
  readonly summarizer?: Model | undefined;
}

/** Sessions and memories. */
export interface OpenData {
  readonly store: Store;
  readonly throughline: Throughline;
}

/** Sessions and memories in a persistent store. */
export interface StoredData extends OpenData {
  readonly file: string;
  readonly store: SqlStore;
}

interface FoundData extends DataLocation {
  /** Always true for a database: it was configured on purpose, and its tables are created on first use. */
  readonly exists: boolean;
}

/** The location of the data, whether it exists or not. */
export function findData(options: DataOptions): FoundData {
  const place = dataLocation(options.data, environment());
  return { ...place, exists: place.databaseUrl !== undefined || existsSync(place.file) };
}

/**
 * The location of the data for commands that need a file.
 *
 * @throws UsageError if the data is in a database; `instead` says what to do then
 */
export function findFile(options: DataOptions, instead: string): FoundData {
  const found = findData(options);
  if (found.databaseUrl === undefined) return found;
  throw new UsageError(
    `The data is in ${found.file}, and this command needs a file.`,
    `${instead} Use --data to select a folder with a file.`,
  );
}

/**
 * Runs `work` with the data. Returns `undefined`, and creates nothing, if there is no data. Visible are the memories of
 * `project`, of the current project, or of all projects.
 */
export async function withStoredData<T>(
  options: DataOptions,
  work: (data: StoredData) => Promise<T>,
): Promise<T | undefined> {
  const place = findData(options);
  if (!place.exists) return undefined;
  let data = await openKept(place, options);
  try {
    if (options.project === undefined) data = { ...data, throughline: await openSelected(data.store, options) };
    return await work(data);
  } finally {
    await close(data);
  }
}

/**
 * Runs `work` with a function that opens the data on first use. Missing folders and files are created then, readable
 * only by the user.
 */
export async function withNewData<T>(
  options: DataOptions,
  work: (open: () => Promise<StoredData>) => Promise<T>,
): Promise<T> {
  const place = findData(options);
  let data: Promise<StoredData> | undefined;
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

/** An instance for the current project, or for all projects. */
async function openSelected(store: Store, options: DataOptions): Promise<Throughline> {
  const { currentProject, summarizer, workspace, allProjects = false } = options;
  if (currentProject === undefined || allProjects) return openAllProjects(store, summarizer);
  const all = await openAllProjects(store, summarizer);
  const { projects } = await all.memory.projects();
  const project = selectCurrentProject(currentProject, projects);
  return project === undefined ? all : throughlineOf(store, project, workspace, summarizer);
}

/** Finishes or stops background work, and closes the store. */
function close({ throughline }: StoredData): Promise<void> {
  return throughline.close();
}

/** Runs `work` for commands with a dry run, which creates nothing: without data, it uses an empty store in memory. */
export async function withTarget<T>(
  options: DataOptions & { readonly dryRun?: boolean },
  work: (open: () => Promise<OpenData>) => Promise<T>,
): Promise<T> {
  if (!options.dryRun || findData(options).exists) return withNewData(options, work);
  return work(() => openStore(inProcessStore(), options));
}

async function openKept({ file, databaseUrl }: DataLocation, options: DataOptions): Promise<StoredData> {
  const settings = omitUndefined({ encryptionKey: findEncryptionKey() });
  if (databaseUrl !== undefined) {
    const { postgresStore } = await import("throughline/postgres");
    return { file, ...(await openStore(postgresStore(databaseUrl, settings), options)) };
  }
  await makeFolder(path.dirname(file));
  // The database, its log and copies are readable only by the user.
  process.umask(0o077);
  const { sqliteStore } = await loadSqlite();
  return { file, ...(await openStore(sqliteStore(file, settings), options)) };
}

async function openStore<S extends Store>(
  store: S,
  { project, workspace, summarizer }: DataOptions,
): Promise<OpenData & { readonly store: S }> {
  return { store, throughline: await throughlineOf(store, project, workspace, summarizer) };
}

export const LOGGER = { info: () => undefined, warn: (text: string) => process.stderr.write(`${text}\n`) };

/** Creates a Throughline instance on an open store, for one project and its folder. */
export function throughlineOf(
  store: Store,
  projectId: string | undefined,
  workspace?: Workspace,
  model?: Model,
): Promise<Throughline> {
  return createThroughline(omitUndefined({ store, userId: LOCAL_USER, logger: LOGGER, projectId, workspace, model }));
}

/** An instance that sees the memories of all projects, private and shared. */
export async function openAllProjects(store: Store, model?: Model): Promise<Throughline> {
  const allProjects: string[] = [];
  for (let after = ""; ; ) {
    const page = await store.memories.spaces({ after, limit: PAGE });
    allProjects.push(...page.flatMap((space) => projectOfSpace(space) ?? []));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    after = last;
  }
  return createThroughline(omitUndefined({ store, userId: LOCAL_USER, logger: LOGGER, allProjects, model }));
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code === "EEXIST" || code === "ENOTDIR") {
      throw new UsageError(`Not a folder: ${folder}`, "Choose another folder with --data.");
    }
    throw new StoreError("read-only", `Could not create the folder ${folder} (${code}).`, { cause });
  }
}
