import type { DatabaseSync } from "node:sqlite";
import {
  arrayField,
  isRecord,
  type JsonRecord,
  omitUndefined,
  recordField,
  stringField,
  tryParseJson,
} from "throughline/internal/util";

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

/** A message as `opencode export` prints it. */
interface ExportMessage {
  readonly info: JsonRecord;
  readonly parts: readonly unknown[];
}

/** The id, session and data of a `session_message` row, which newer versions write. */
interface SessionMessage {
  readonly id: string;
  readonly sessionID: string;
  readonly type: string;
  readonly data: JsonRecord;
}

/** Converts a `session_message` row to the older format; `undefined` if it is not a message. */
function toExportMessage({ id, sessionID, type, data }: SessionMessage): ExportMessage | undefined {
  const base = { id, sessionID, time: data.time };
  const text = stringField(data, "text") ?? "";
  switch (type) {
    case "user":
      return { info: { ...base, role: "user" }, parts: [{ type: "text", text }, ...filesOf(data.files)] };
    case "synthetic":
    case "system":
      return { info: { ...base, role: "user" }, parts: [{ type: "text", text, synthetic: true }] };
    case "shell":
      return { info: { ...base, role: "assistant" }, parts: [shellPart(data)] };
    case "assistant":
      return { info: { ...base, ...replyInfo(data) }, parts: (arrayField(data, "content") ?? []).map(replyPart) };
    case "compaction":
      return {
        info: { ...base, role: "assistant", summary: true },
        parts: [{ type: "text", text: stringField(data, "summary") ?? "" }],
      };
    default:
      return undefined;
  }
}

/** A command that the user ran; its output is not user text. */
function shellPart(data: JsonRecord): JsonRecord {
  const { callID, command, output } = data;
  return { type: "tool", callID, tool: "bash", state: { status: "completed", input: { command }, output } };
}

function replyInfo(data: JsonRecord): JsonRecord {
  const model = recordField(data, "model") ?? {};
  const error = recordField(data, "error");
  return omitUndefined({
    role: "assistant",
    modelID: stringField(model, "id"),
    finish: data.finish,
    tokens: data.tokens,
    error: error && { name: "UnknownError", data: { message: error.message } },
  });
}

function replyPart(part: unknown): unknown {
  if (!isRecord(part)) return part;
  if (part.type === "reasoning") return omitUndefined({ ...part, metadata: part.providerMetadata });
  if (part.type !== "tool") return part;
  const provider = recordField(part, "provider") ?? {};
  const time = { compacted: recordField(part, "time")?.pruned };
  const state = { ...toolState(recordField(part, "state") ?? {}), time };
  return omitUndefined({ type: "tool", callID: part.id, tool: part.name, state, metadata: provider.metadata });
}

function toolState(state: JsonRecord): JsonRecord {
  const content = (arrayField(state, "content") ?? []).filter(isRecord);
  const output = content.flatMap((item) => (item.type === "text" ? [String(item.text)] : [])).join("\n");
  const files = content.filter(({ type }) => type === "file");
  const attachments = [...filesOf(files), ...filesOf(state.attachments)];
  const error = recordField(state, "error");
  return omitUndefined({
    status: state.status,
    input: state.input,
    output,
    error: error && stringField(error, "message"),
    attachments: attachments.length === 0 ? undefined : attachments,
  });
}

function filesOf(files: unknown): JsonRecord[] {
  if (!Array.isArray(files)) return [];
  return files
    .filter(isRecord)
    .map(({ uri, mime, name }) => omitUndefined({ type: "file", url: uri, mime, filename: name }));
}
