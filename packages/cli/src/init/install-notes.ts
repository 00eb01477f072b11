import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { StoreError } from "throughline";
import { arrayField, isRecord, stringField, tryParseJson } from "throughline/internal";
import { environment } from "../config/environment.ts";
import { dataFile } from "../data/data-folder.ts";
import type { DataOptions } from "../data/open-data.ts";
import { atomicWrite } from "../data/atomic-write.ts";
import type { Insertion } from "./jsonc.ts";

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
