import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import process from "node:process";
import { StoreError } from "../../errors/store-error.ts";
import { omitUndefined } from "../../message/read-json.ts";
import type { Store } from "../../ports/store.ts";
import { inProcessStore } from "../../store/in-process.ts";
import type { SqlStore } from "../../store/sqlite/sqlite.ts";
import { createThroughline, type Throughline } from "../../throughline.ts";
import { UsageError } from "../usage-error.ts";
import { dataFile } from "./data-folder.ts";
import { findEncryptionKey, loadSqlite } from "./load-sqlite.ts";

/** Whose sessions and memories the command line keeps: nobody but the user of the machine is there. */
export const OWNER = "local";

/** The options that say where the data is, and from which project it is looked at. */
export interface DataOptions {
  readonly data?: string;
  readonly project?: string;
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

/** Where the data is, or would be. */
export function findData(options: DataOptions): { readonly file: string; readonly exists: boolean } {
  const file = dataFile(options.data, { platform: process.platform, env: process.env, home: homedir() });
  return { file, exists: existsSync(file) };
}

/** Works on the data, where there is any: `undefined` where nothing was ever kept, and then nothing is created. */
export async function withKeptData<T>(
  options: DataOptions,
  work: (data: KeptData) => Promise<T>,
): Promise<T | undefined> {
  const { file, exists } = findData(options);
  if (!exists) return undefined;
  const data = await openFile(file, options);
  try {
    return await work(data);
  } finally {
    await data.store.close();
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
  const { file } = findData(options);
  let data: Promise<KeptData> | undefined;
  const open = () => {
    data ??= makeFolder(path.dirname(file)).then(() => openFile(file, options));
    return data;
  };
  try {
    return await work(open);
  } finally {
    await (await data)?.store.close();
  }
}

/** For what may be a dry run, which creates nothing: where nothing is kept yet, it looks at nothing. */
export async function withTarget<T>(
  options: DataOptions & { readonly dryRun?: boolean },
  work: (open: () => Promise<OpenData>) => Promise<T>,
): Promise<T> {
  if (!options.dryRun || findData(options).exists) return withNewData(options, work);
  return work(() => openStore(inProcessStore(), options));
}

async function openFile(file: string, options: DataOptions): Promise<KeptData> {
  // The database, its log and every copy of it are the user's alone.
  process.umask(0o077);
  const { sqliteStore } = await loadSqlite();
  const encryptionKey = await findEncryptionKey();
  return { file, ...(await openStore(sqliteStore(file, omitUndefined({ encryptionKey })), options)) };
}

async function openStore<S extends Store>(
  store: S,
  { project }: DataOptions,
): Promise<OpenData & { readonly store: S }> {
  if (project === "") throw new UsageError("--project names no project.", "It takes the id of one.");
  return { store, throughline: await throughlineOf(store, project) };
}

export const LOGGER = { info: () => undefined, warn: (text: string) => process.stderr.write(`${text}\n`) };

/** What is kept in a store that is open, as it is seen from a project. */
export function throughlineOf(store: Store, projectId: string | undefined): Promise<Throughline> {
  return createThroughline(omitUndefined({ store, userId: OWNER, logger: LOGGER, projectId }));
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
