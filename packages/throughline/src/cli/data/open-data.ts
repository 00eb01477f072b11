import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import process from "node:process";
import { StoreError } from "../../errors/store-error.ts";
import type { SqlStore } from "../../store/sqlite/sqlite.ts";
import { createThroughline, type Throughline } from "../../throughline.ts";
import { UsageError } from "../usage-error.ts";
import { dataFile } from "./data-folder.ts";
import { loadSqlite } from "./load-sqlite.ts";

/** Whose sessions the command line keeps: nobody but the user of the machine is there. */
export const OWNER = "local";

/** The options that say where the data is. */
export interface DataOptions {
  readonly data?: string;
}

/** Sessions that outlive the process. */
export interface KeptData {
  readonly file: string;
  readonly store: SqlStore;
  readonly throughline: Throughline;
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
  const data = await openFile(file);
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
    data ??= makeFolder(path.dirname(file)).then(() => openFile(file));
    return data;
  };
  try {
    return await work(open);
  } finally {
    await (await data)?.store.close();
  }
}

async function openFile(file: string): Promise<KeptData> {
  // The database, its log and every copy of it are the user's alone.
  process.umask(0o077);
  const { sqliteStore } = await loadSqlite();
  const store = sqliteStore(file);
  const logger = { info: () => undefined, warn: (text: string) => process.stderr.write(`${text}\n`) };
  return { file, store, throughline: await createThroughline({ store, userId: OWNER, logger }) };
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
