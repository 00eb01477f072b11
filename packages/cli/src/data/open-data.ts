import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import {
  createThroughline,
  inProcessStore,
  type Store,
  StoreError,
  type Throughline,
  type ThroughlineOptions,
  wordEmbedder,
} from "throughline";
import {
  type OpenMemory,
  openMemory,
  projectOfSpace,
  type RecordPorts,
  spaceOf,
  type Workspace,
} from "throughline/internal/engine";
import { omitUndefined } from "throughline/internal/util";
import type { SqlStore } from "throughline/sqlite";
import { environment } from "../config/environment.ts";
import type { Project } from "../config/project.ts";
import { UsageError } from "../usage-error.ts";
import { type DataLocation, dataLocation, findEncryptionKey, loadSqlite } from "./data-location.ts";
import { type Inference, type InferenceOptions, openInference, recordEmbedder, storedEmbedder } from "./inference.ts";
import { selectCurrentProject } from "./select-project.ts";

/** User id of everything that the command line stores. */
export const LOCAL_USER = "local";

/** Space of that user's memories and documents. */
export const USER_SPACE = spaceOf("user-private", { userId: LOCAL_USER, projectId: undefined });

const PAGE = 500;

/** Options for the data location, the project and the model. */
export interface DataOptions extends InferenceOptions {
  readonly data?: string;
  readonly project?: string;
  readonly allProjects?: boolean;
  /** Project of the current folder, for commands without `--project`. Not a command-line option. */
  readonly currentProject?: Project;
  /** Folder of the project's files, if it was given as a path. Not a command-line option. */
  readonly projectRoot?: string;
  /** The project on disk. Not a command-line option. */
  readonly workspace?: Workspace;
}

/** Options that many commands have. */
export interface CommandOptions extends DataOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Sessions and memories. */
export interface OpenData<T = Throughline> {
  readonly store: Store;
  readonly inference: Inference;
  readonly throughline: T;
}

/** Sessions and memories in a persistent store. */
export interface StoredData<T = Throughline> extends OpenData<T> {
  readonly file: string;
  readonly store: SqlStore;
}

interface FoundData extends DataLocation {
  /** Always true for a database: its tables are created on first use. */
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
 * @throws UsageError if the data is in a database; `instead` has the advice
 */
export function findFile(options: DataOptions, instead: string): FoundData {
  const found = findData(options);
  if (found.databaseUrl === undefined) return found;
  throw new UsageError(
    `Cannot run this command on ${found.file}: it needs a data file.`,
    `${instead} Use --data to select a folder with a file.`,
  );
}

/**
 * Runs `work` with the data. Returns `undefined`, and creates nothing, if there is no data. Visible are the memories of
 * `project`, of the current project, or of all projects.
 */
export function withStoredData<T>(
  options: DataOptions,
  work: (data: StoredData) => Promise<T>,
): Promise<T | undefined> {
  return withOpened(createThroughline, options, work);
}

/** The same without sessions. It starts faster. */
export function withStoredMemories<T>(
  options: DataOptions,
  work: (data: StoredData<OpenMemory>) => Promise<T>,
): Promise<T | undefined> {
  return withOpened(openMemory, options, work);
}

/** Opens an instance on a store. */
type Open<I> = (options: ThroughlineOptions & { readonly store: Store }) => Promise<I>;

async function withOpened<I extends OpenMemory, T>(
  open: Open<I>,
  options: DataOptions,
  work: (data: StoredData<I>) => Promise<T>,
): Promise<T | undefined> {
  const place = findData(options);
  if (!place.exists) return undefined;
  let data = await openKept(place, options, open);
  try {
    if (options.project === undefined) data = { ...data, throughline: await openSelected(data, options, open) };
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
    data ??= openKept(place, options, createThroughline).then(noteEmbedder);
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
async function openSelected<I extends OpenMemory>(data: Instances, options: DataOptions, open: Open<I>): Promise<I> {
  const { currentProject, workspace, allProjects = false } = options;
  const all = await openAll(data, open);
  if (currentProject === undefined || allProjects) return all;
  const { projects } = await all.memory.projects();
  const project = selectCurrentProject(currentProject, projects);
  return project === undefined ? all : open(instanceOptions(data, project, workspace));
}

/** Stores the number of requests to the model, finishes or stops background work, and closes the store. */
async function close({ throughline, inference }: StoredData<OpenMemory>): Promise<void> {
  await inference.calls.save();
  await throughline.close();
}

/** Runs `work` for commands with a dry run, which creates nothing: without data, it uses an empty store in memory. */
export async function withTarget<T>(
  options: CommandOptions,
  work: (open: () => Promise<OpenData>) => Promise<T>,
): Promise<T> {
  if (!options.dryRun || findData(options).exists) return withNewData(options, work);
  return work(() => openStore(inProcessStore(), options, createThroughline));
}

async function openKept<I>(
  { file, databaseUrl }: DataLocation,
  options: DataOptions,
  open: Open<I>,
): Promise<StoredData<I>> {
  const settings = omitUndefined({ encryptionKey: findEncryptionKey() });
  if (databaseUrl !== undefined) {
    const { postgresStore } = await import("throughline/postgres");
    return { file, ...(await openStore(postgresStore(databaseUrl, settings), options, open)) };
  }
  makeFolder(path.dirname(file));
  // The database, its log and copies are readable only by the user.
  process.umask(0o077);
  const { sqliteStore } = await loadSqlite();
  return { file, ...(await openStore(sqliteStore(file, settings), options, open)) };
}

async function openStore<S extends Store, I>(
  store: S,
  options: DataOptions,
  open: Open<I>,
): Promise<OpenData<I> & { readonly store: S }> {
  try {
    const data = { store, inference: openInference(store.documents, options) };
    if (options.reembeds !== true) await warnOfOtherEmbedder(data);
    return { ...data, throughline: await open(instanceOptions(data, options.project, options.workspace)) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Instances = Pick<OpenData, "store" | "inference">;

export const LOGGER = { info: () => undefined, warn: (text: string) => process.stderr.write(`${text}\n`) };

/** Vectors of different embedders cannot be compared. */
async function warnOfOtherEmbedder({ store, inference: { embedder = wordEmbedder() } }: Instances): Promise<void> {
  const stored = await storedEmbedder(store.documents, USER_SPACE);
  if (stored === embedder.name || !(await hasMemories(store))) return;
  LOGGER.warn(
    `The memories have vectors of the embedder ${stored}, but ${embedder.name} is configured; searching by words only. ` +
      "Run `throughline reembed`.",
  );
}

async function hasMemories({ memories }: Store): Promise<boolean> {
  return (await memories.spaces({ limit: 1 })).length > 0;
}

/** In new data, all vectors will be of the configured embedder. */
async function noteEmbedder<D extends Instances>(data: D): Promise<D> {
  const { store, inference } = data;
  if (inference.embedder !== undefined && !(await hasMemories(store)))
    await recordEmbedder(store.documents, USER_SPACE, inference.embedder.name);
  return data;
}

/** Creates a Throughline instance on an open store, for one project and its folder. */
export function throughlineOf(
  data: Instances,
  projectId: string | undefined,
  workspace?: Workspace,
): Promise<Throughline> {
  return createThroughline(instanceOptions(data, projectId, workspace));
}

function instanceOptions(
  { store, inference: { model, embedder } }: Instances,
  projectId: string | undefined,
  workspace?: Workspace,
): ThroughlineOptions & { readonly store: Store } {
  return omitUndefined({ store, userId: LOCAL_USER, logger: LOGGER, projectId, workspace, model, embedder });
}

/** An instance that sees the memories of all projects, private and shared. */
export function openAllProjects(data: Instances): Promise<Throughline> {
  return openAll(data, createThroughline);
}

async function openAll<I>({ store, inference: { model, embedder } }: Instances, open: Open<I>): Promise<I> {
  const spaces = await readPages(
    (page) => store.memories.spaces(page),
    (space) => space,
  );
  const allProjects = spaces.flatMap((space) => projectOfSpace(space) ?? []);
  return open(omitUndefined({ store, userId: LOCAL_USER, logger: LOGGER, allProjects, model, embedder }));
}

/** The items of a list in the order of their ids, read page by page, so that writers are not blocked. */
export async function readPages<T>(
  read: (page: { readonly after?: string; readonly limit: number }) => Promise<readonly T[]>,
  idOf: (item: T) => string,
): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const last = items.at(-1);
    const page = await read(last === undefined ? { limit: PAGE } : { after: idOf(last), limit: PAGE });
    items.push(...page);
    if (page.length < PAGE) return items;
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code === "EEXIST" || code === "ENOTDIR") {
      throw new UsageError(`Not a folder: ${folder}.`, "Choose another folder with --data.");
    }
    throw new StoreError("read-only", `Could not create the folder ${folder} (${code}).`, { cause });
  }
}

/** Dependencies for learning in a project, or in none. */
export async function learningDeps(data: OpenData, projectId: string | undefined): Promise<RecordPorts> {
  // Memories belong to the project of the session, not to the current folder.
  const { memory, context } = await throughlineOf(data, projectId);
  const observe: RecordPorts["observe"] = (signal) => context.observe(signal);
  const { store, inference } = data;
  const { model } = inference;
  return { memory, documents: store.documents, userId: LOCAL_USER, projectId, model, logger: LOGGER, observe };
}
