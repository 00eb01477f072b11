import { existsSync, statSync } from "node:fs";
import process from "node:process";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { TRANSCRIPT_FORMATS, UnknownFormatError, UnreadableTranscriptError } from "throughline";
import { APPLICATION_ID, toStoreError } from "throughline/internal";
import { loadSqlite } from "../data/sqlite-module.ts";

/** Milliseconds to wait if OpenCode holds a lock. */
const PATIENCE = 5_000;

/** Databases of other programs, by tables that they have. */
const OTHERS: readonly { readonly name: string; readonly tables: readonly string[]; readonly advice: string }[] = [
  {
    name: "a database of Cursor or VS Code",
    tables: ["ItemTable"],
    advice: "Give the sessions of an agent that keeps them in files.",
  },
  {
    name: "a database of Codex",
    tables: ["_sqlx_migrations"],
    advice: "Give its sessions: ~/.codex/sessions/**/rollout-*.jsonl.",
  },
  {
    name: "a database of Copilot CLI",
    tables: ["sessions", "turns", "checkpoints"],
    advice: "Give its sessions: ~/.copilot/session-state/ID/events.jsonl.",
  },
  {
    name: "a database of Cline",
    tables: ["sessions", "subagent_spawn_queue"],
    advice: "Give its sessions: ~/.cline/data/sessions/ID/ID.messages.json.",
  },
];

export interface OpenCodeDatabase {
  readonly database: DatabaseSync;
  readonly tables: ReadonlySet<string>;
  /** @throws UnreadableTranscriptError if the file changed, and what was read of it may not fit together */
  check(): void;
}

/**
 * Works on OpenCode's database as it is at this moment, while OpenCode may go on writing. Nothing is written to the file
 * or beside it.
 *
 * @throws UnknownFormatError if it is another program's
 */
export async function* withOpenCodeDatabase<T>(
  file: string,
  read: (open: OpenCodeDatabase) => Iterable<T>,
): AsyncGenerator<T> {
  await loadSqlite();
  const { database, check } = openReadOnly(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${PATIENCE}`);
    // One transaction: all that is read is of one moment.
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
 * SQLite puts files beside a database with a write-ahead log, even to read it. With no log there, nobody writes, and the
 * file alone is all there is: then it is opened as one that cannot change, and `check` says if it did.
 */
function openReadOnly(file: string): Pick<OpenCodeDatabase, "database" | "check"> {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const before = stateOf(file);
  if (before !== undefined) {
    const url = pathToFileURL(file);
    url.searchParams.set("immutable", "1");
    const check = () => {
      if (stateOf(file) === before) return;
      throw new UnreadableTranscriptError(`${file} changed while it was read.`, "Run the command again.");
    };
    try {
      return { database: new DatabaseSync(url, { readOnly: true }), check };
    } catch (error) {
      // Node takes an URL from 22.15 on.
      if (!(error instanceof TypeError)) throw toStoreError(error, file);
    }
  }
  return { database: new DatabaseSync(file, { readOnly: true }), check: () => undefined };
}

/** When the file was changed and how long it is; `undefined` if there is a log beside it. */
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
      "a database of Throughline itself",
      "Its sessions are there already: `throughline sessions --data FOLDER`.",
    );
  }
  if (tables.has("session") && (tables.has("session_message") || (tables.has("message") && tables.has("part")))) return;
  const other = OTHERS.find((one) => one.tables.every((table) => tables.has(table)));
  if (other !== undefined) throw refusal(other.name, other.advice);
  const some = [...tables].slice(0, 3).join(", ") || "none";
  throw new UnknownFormatError(
    `Not a known transcript: it is an SQLite database of another program (tables: ${some}). The only database that can be imported is OpenCode's.`,
    TRANSCRIPT_FORMATS,
    "a database",
    "Give OpenCode's opencode.db, or a transcript.",
  );
}

function refusal(name: string, advice: string): UnknownFormatError {
  const problem = `This looks like ${name}, which is not supported. The only database that can be imported is OpenCode's.`;
  return new UnknownFormatError(problem, TRANSCRIPT_FORMATS, name, advice);
}
