import type { DatabaseSync } from "node:sqlite";
import { isRecord, type JsonRecord, omitUndefined, tryParseJson } from "throughline/internal";
import { type ExportMessage, toExportMessage } from "./export-message.ts";

type Row = Readonly<Record<string, unknown>>;

/**
 * The sessions in OpenCode's database in its export format: one line per session, followed by one per message. Rows are
 * read one by one.
 */
export function* sessionLines(database: DatabaseSync, tables: ReadonlySet<string>): Generator<JsonRecord> {
  for (const session of database.prepare("SELECT * FROM session ORDER BY time_created, id").iterate()) {
    yield { info: sessionInfo(session), messages: [] };
    const id = String(session.id);
    const read = { ids: new Set<string>(), last: Number.NEGATIVE_INFINITY };
    if (tables.has("message")) yield* olderMessages(database, id, read);
    if (tables.has("session_message")) yield* newerMessages(database, id, read);
  }
}

/** Messages of a session that were already read, so that a message in both tables is read once. */
interface ReadSoFar {
  readonly ids: Set<string>;
  /** Time of the last one. */
  last: number;
}

function* olderMessages(database: DatabaseSync, session: string, read: ReadSoFar): Generator<JsonRecord> {
  const messages = database.prepare(
    "SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id",
  );
  const parts = database.prepare("SELECT id, data FROM part WHERE message_id = ? ORDER BY id");
  for (const { id, time_created, data } of messages.iterate(session)) {
    read.ids.add(String(id));
    read.last = Math.max(read.last, Number(time_created));
    const info = readData(data);
    // An invalid row is passed on unchanged, so that it is counted.
    yield info === undefined
      ? { message: id, parts: [] }
      : { info: { ...info, id, sessionID: session }, parts: parts.all(String(id)).map(readPart) };
  }
}

/** Newer versions copy older messages: rows that are not newer are copies. */
function* newerMessages(database: DatabaseSync, session: string, read: ReadSoFar): Generator<JsonRecord> {
  const messages = database.prepare(
    "SELECT id, type, time_created, data FROM session_message WHERE session_id = ? ORDER BY seq, id",
  );
  for (const row of messages.iterate(session)) {
    if (read.ids.has(String(row.id)) || Number(row.time_created) <= read.last) continue;
    const data = readData(row.data);
    const message: ExportMessage | undefined =
      data && toExportMessage({ id: String(row.id), sessionID: session, type: String(row.type), data });
    if (data === undefined) yield { message: row.id, parts: [] };
    else if (message !== undefined) yield { ...message };
  }
}

function sessionInfo(row: Row): JsonRecord {
  return omitUndefined({
    id: row.id,
    title: row.title,
    directory: row.directory,
    version: row.version,
    parentID: row.parent_id ?? undefined,
    time: { created: row.time_created },
  });
}

function readPart({ id, data }: Row): unknown {
  const part = readData(data);
  return part === undefined ? null : { ...part, id };
}

function readData(data: unknown): JsonRecord | undefined {
  const value = typeof data === "string" ? tryParseJson(data)?.value : undefined;
  return isRecord(value) ? value : undefined;
}
