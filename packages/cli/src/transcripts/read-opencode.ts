import { type Dirent, existsSync, statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { TRANSCRIPT_FORMATS, UnknownFormatError, UnreadableTranscriptError } from "throughline";
import { APPLICATION_ID, toStoreError } from "throughline/internal/sql";
import { type JsonRecord, tryParseJson } from "throughline/internal/util";
import { loadSqlite } from "../data/data-location.ts";
import type { Progress } from "../terminal/progress.ts";
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

/** Milliseconds to wait if OpenCode has locked it. */
const BUSY_TIMEOUT_MS = 5_000;

/** Databases of other programs, recognized by their tables. */
const OTHERS: readonly { readonly name: string; readonly tables: readonly string[]; readonly advice: string }[] = [
  {
    name: "a Cursor or VS Code database",
    tables: ["ItemTable"],
    advice: "Give the session files of an agent instead.",
  },
  {
    name: "a Codex database",
    tables: ["_sqlx_migrations"],
    advice: "Give its session files: ~/.codex/sessions/**/rollout-*.jsonl.",
  },
  {
    name: "a Copilot CLI database",
    tables: ["sessions", "turns", "checkpoints"],
    advice: "Give its session files: ~/.copilot/session-state/ID/events.jsonl.",
  },
  {
    name: "a Cline database",
    tables: ["sessions", "subagent_spawn_queue"],
    advice: "Give its session files: ~/.cline/data/sessions/ID/ID.messages.json.",
  },
];

interface OpenCodeDatabase {
  readonly database: DatabaseSync;
  readonly tables: ReadonlySet<string>;
  /** @throws UnreadableTranscriptError if the file changed while it was read */
  check(): void;
}

/**
 * Runs `work` on a snapshot of OpenCode's database, while OpenCode may continue to write. Nothing is written to the
 * file or next to it.
 *
 * @throws UnknownFormatError if it belongs to another program
 */
export async function* withOpenCodeDatabase<T>(
  file: string,
  read: (open: OpenCodeDatabase) => Iterable<T>,
): AsyncGenerator<T> {
  await loadSqlite();
  const { database, check } = openReadOnly(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // One transaction, for a consistent snapshot.
    database.exec("BEGIN");
    const tables = tablesIn(database);
    refuseOthers(database, tables);
    yield* read({ database, tables, check });
    check();
  } catch (error) {
    check();
    throw toStoreError(error, file);
  } finally {
    database.close();
  }
}

/**
 * SQLite creates files next to a database with a write-ahead log, even for reading. Without a log there is no writer,
 * so the file is opened as immutable, and `check` reports changes made meanwhile.
 */
function openReadOnly(file: string): Pick<OpenCodeDatabase, "database" | "check"> {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const before = stateOf(file);
  if (before !== undefined) {
    const url = pathToFileURL(file);
    url.searchParams.set("immutable", "1");
    const check = () => {
      if (stateOf(file) === before) return;
      throw new UnreadableTranscriptError(`${file} changed while it was being read.`, "Run the command again.");
    };
    try {
      return { database: new DatabaseSync(url, { readOnly: true }), check };
    } catch (error) {
      // Node accepts a URL from version 22.15 on.
      if (!(error instanceof TypeError)) throw toStoreError(error, file);
    }
  }
  return { database: new DatabaseSync(file, { readOnly: true }), check: () => undefined };
}

/** Modification time and size of the file; `undefined` if there is a log next to it. */
function stateOf(file: string): string | undefined {
  if (existsSync(`${file}-wal`) || existsSync(`${file}-journal`)) return undefined;
  const { mtimeNs, size } = statSync(file, { bigint: true });
  return `${mtimeNs} ${size}`;
}

function tablesIn(database: DatabaseSync): ReadonlySet<string> {
  const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return new Set(rows.map(({ name }) => String(name)));
}

function refuseOthers(database: DatabaseSync, tables: ReadonlySet<string>): void {
  const isOurs = database.prepare("PRAGMA application_id").get()?.application_id === APPLICATION_ID;
  if (isOurs) {
    throw refusal(
      "a Throughline database",
      "Its sessions are already available: `throughline sessions --data FOLDER`.",
    );
  }
  if (tables.has("session") && (tables.has("session_message") || (tables.has("message") && tables.has("part")))) return;
  const other = OTHERS.find((one) => one.tables.every((table) => tables.has(table)));
  if (other !== undefined) throw refusal(other.name, other.advice);
  const some = [...tables].slice(0, 3).join(", ") || "none";
  throw new UnknownFormatError(
    `Not a known transcript: an SQLite database of another program (tables: ${some}). Only OpenCode's database can be imported.`,
    TRANSCRIPT_FORMATS,
    "a database",
    "Give OpenCode's opencode.db, or a transcript.",
  );
}

function refusal(name: string, advice: string): UnknownFormatError {
  const problem = `This looks like ${name}, which is not supported. Only OpenCode's database can be imported.`;
  return new UnknownFormatError(problem, TRANSCRIPT_FORMATS, name, advice);
}
