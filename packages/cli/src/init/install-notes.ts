import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { StoreError } from "throughline";
import { arrayField, isRecord, stringField, tryParseJson } from "throughline/internal";
import { surroundings } from "../config/environment.ts";
import { dataFile } from "../data/data-folder.ts";
import type { DataOptions } from "../data/open-data.ts";
import { writeWhole } from "../export/atomic-write.ts";
import type { Insertion } from "../integrations/jsonc.ts";

/** What we put into a file, so that exactly that can be taken out again. Nothing of what was there is repeated. */
export interface InstallNote {
  readonly file: string;
  /** There was no such file. */
  readonly created: boolean;
  /** The folders that were made for it, the outermost first. */
  readonly folders: readonly string[];
  readonly insertions: readonly Insertion[];
  /** The text that we left, as a digest. */
  readonly left: string;
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** What is noted of a file; `undefined` where nothing is, or nothing that can be read. */
export async function readNote(file: string, options: DataOptions): Promise<InstallNote | undefined> {
  return (await readNotes(options)).find((note) => note.file === file);
}

/** Notes what was done to a file, in place of what was noted before; nothing, where `note` is `undefined`. */
export async function writeNote(file: string, note: InstallNote | undefined, options: DataOptions): Promise<void> {
  const notes = (await readNotes(options)).filter((one) => one.file !== file);
  const target = notesFile(options);
  if (note === undefined && notes.length === 0 && (await readText(target)) === undefined) return;
  await makeFolder(path.dirname(target));
  const text = `${JSON.stringify({ version: 1, notes: [...notes, ...(note === undefined ? [] : [note])] }, null, 2)}\n`;
  await writeWhole(target, text, { force: true, signal: new AbortController().signal });
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new StoreError("read-only", `The folder ${folder} cannot be made; nothing was changed.`, { cause });
  }
}

/** In the folder of the data, also where that is in a database: they are about this machine's files. */
function notesFile({ data }: DataOptions): string {
  return path.join(path.dirname(dataFile(data, surroundings())), "integrations.json");
}

async function readNotes(options: DataOptions): Promise<readonly InstallNote[]> {
  const value = tryParseJson((await readText(notesFile(options))) ?? "")?.value;
  return isRecord(value) ? (arrayField(value, "notes") ?? []).filter(isNote) : [];
}

async function readText(file: string): Promise<string | undefined> {
  // Without the notes, what is ours is found by what it says.
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
