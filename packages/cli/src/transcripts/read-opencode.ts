import { type Dirent, existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type JsonRecord, tryParseJson } from "throughline/internal";
import type { Progress } from "../terminal/progress.ts";
import { withOpenCodeDatabase } from "./opencode-database.ts";
import { sessionLines } from "./opencode-messages.ts";

/** The first bytes of every SQLite file. */
export const SQLITE_MAGIC = "SQLite format 3\0";

/** The sessions in OpenCode's database, as lines of its export format. */
export async function* readOpenCodeDatabase(file: string, progress: Progress): AsyncGenerator<Uint8Array> {
  const lines = withOpenCodeDatabase(file, ({ database, tables }) => sessionLines(database, tables));
  for await (const line of lines) yield encode(line, progress);
}

/** Older versions store a session in `storage/session/PROJECT/ID.json`, and its messages in sibling folders. */
export function isStoredSession(file: string): boolean {
  const folder = storageOf(file);
  const id = path.basename(file, ".json");
  return id.startsWith("ses_") && path.basename(folder) === "storage" && existsSync(path.join(folder, "message", id));
}

export async function* readStoredSession(file: string, progress: Progress): AsyncGenerator<Uint8Array> {
  const folder = storageOf(file);
  yield encode({ info: await readJson(file), messages: [] }, progress);
  const messages = path.join(folder, "message", path.basename(file, ".json"));
  for (const message of await jsonFiles(messages)) {
    const parts = await jsonFiles(path.join(folder, "part", path.basename(message, ".json")));
    const info = await readJson(message);
    yield encode({ info, parts: await Promise.all(parts.map(readJson)) }, progress);
  }
}

function storageOf(file: string): string {
  return path.dirname(path.dirname(path.dirname(path.resolve(file))));
}

/** Ordered by name, which is chronological. */
async function jsonFiles(folder: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".json")).map(({ name }) => name);
  return names.sort().map((name) => path.join(folder, name));
}

/** An invalid file becomes undefined, which is counted. */
async function readJson(file: string): Promise<unknown> {
  return tryParseJson(await readFile(file, "utf8"))?.value ?? null;
}

function encode(line: JsonRecord, progress: Progress): Uint8Array {
  const bytes = new TextEncoder().encode(`${JSON.stringify(line)}\n`);
  progress.advance(bytes.length);
  return bytes;
}
