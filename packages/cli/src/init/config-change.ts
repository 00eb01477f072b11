import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rm, rmdir, stat } from "node:fs/promises";
import path from "node:path";
import { StoreError } from "throughline";
import { arrayField, isRecord, stringField, tryParseJson } from "throughline/internal/util";
import { environment } from "../config/environment.ts";
import { atomicWrite } from "../data/atomic-write.ts";
import { dataFile } from "../data/data-location.ts";
import type { DataOptions } from "../data/open-data.ts";
import { ConfigError } from "../usage-error.ts";
import type { Insertion } from "./jsonc.ts";

/** A planned change of a file; `undefined` means that there is no file. */
export interface ConfigChange {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * The text of a file including its byte order mark; `undefined` if there is none.
 *
 * @throws ConfigError if it is not text, or cannot be read
 */
export async function readConfig(file: string): Promise<string | undefined> {
  try {
    const bytes = await readFile(file);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT") return undefined;
    if (code === "ENOTDIR" || code === "EISDIR") {
      throw new ConfigError(
        file,
        "This path is not a regular file, or its parent is not a folder.",
        "Rename or delete it, and run the command again. Nothing was changed.",
      );
    }
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
      throw new ConfigError(
        file,
        "The file is not UTF-8 text.",
        "Save it as UTF-8 and try again. Nothing was changed.",
      );
    }
    throw error;
  }
}

/** Missing parent folders of a file, outermost first. */
export async function missingFolders(file: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let folder = path.dirname(file); !(await exists(folder)); folder = path.dirname(folder)) missing.unshift(folder);
  return missing;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/**
 * Applies the change, unless the file was changed in the meantime.
 *
 * @throws ConfigError, StoreError
 */
export async function applyChange({ file, before, after }: ConfigChange, signal: AbortSignal): Promise<void> {
  if ((await readConfig(file)) !== before) {
    throw new ConfigError(
      file,
      "Another program changed the file in the meantime.",
      "Run the command again. The other program's change is kept.",
    );
  }
  try {
    if (after === undefined) await rm(file);
    else await write(file, after, signal);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error && "code" in error)) throw error;
    throw new StoreError("read-only", `Could not write ${file} (${error.code}).`, { cause: error });
  }
}

/** Of the user: opening the data makes later files of this process readable only by them. */
const UMASK = process.umask();

async function write(file: string, text: string, signal: AbortSignal): Promise<void> {
  // Keeps the permissions of the file.
  const mode = await stat(file).then(
    ({ mode }) => mode & 0o777,
    () => 0o666 & ~UMASK,
  );
  await mkdir(path.dirname(file), { recursive: true });
  await atomicWrite(file, text, { force: true, signal });
  await chmod(file, mode);
}

/** Removes created folders, innermost first, as long as they are empty. */
export async function removeFolders(folders: readonly string[]): Promise<void> {
  try {
    for (const folder of folders.toReversed()) await rmdir(folder);
  } catch {
    // The folder has other files by now, and stays.
  }
}

/** A record of the inserted text, so that exactly that can be removed. It contains nothing of the original file. */
export interface InstallNote {
  readonly file: string;
  /** True if the file did not exist. */
  readonly created: boolean;
  /** Folders created for it, outermost first. */
  readonly folders: readonly string[];
  readonly insertions: readonly Insertion[];
  /** Digest of the text after the change. */
  readonly left: string;
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The record of a file; `undefined` if there is none, or it is unreadable. */
export async function readNote(file: string, options: DataOptions): Promise<InstallNote | undefined> {
  return (await readNotes(options)).find((note) => note.file === file);
}

/** Replaces the record of a file; `undefined` removes it. */
export async function writeNote(file: string, note: InstallNote | undefined, options: DataOptions): Promise<void> {
  const notes = (await readNotes(options)).filter((one) => one.file !== file);
  const target = notesFile(options);
  if (note === undefined && notes.length === 0 && (await readText(target)) === undefined) return;
  await makeFolder(path.dirname(target));
  const text = `${JSON.stringify({ version: 1, notes: [...notes, ...(note === undefined ? [] : [note])] }, null, 2)}\n`;
  await atomicWrite(target, text, { force: true, signal: new AbortController().signal });
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new StoreError("read-only", `Could not create the folder ${folder}. Nothing was changed.`, { cause });
  }
}

/** In the data folder, even if the data is in a database, because the record is about local files. */
function notesFile({ data }: DataOptions): string {
  return path.join(path.dirname(dataFile(data, environment())), "integrations.json");
}

async function readNotes(options: DataOptions): Promise<readonly InstallNote[]> {
  const value = tryParseJson((await readText(notesFile(options))) ?? "")?.value;
  return isRecord(value) ? (arrayField(value, "notes") ?? []).filter(isNote) : [];
}

async function readText(file: string): Promise<string | undefined> {
  // Without the record, entries are found by their content.
  return readFile(file, "utf8").catch(() => undefined);
}

function isNote(value: unknown): value is InstallNote {
  if (!isRecord(value) || stringField(value, "file") === undefined || stringField(value, "left") === undefined) {
    return false;
  }
  const insertions = arrayField(value, "insertions") ?? [];
  const folders = arrayField(value, "folders") ?? [];
  return (
    insertions.every((one) => isRecord(one) && Number.isInteger(one.at) && typeof one.text === "string") &&
    folders.every((folder) => typeof folder === "string")
  );
}
