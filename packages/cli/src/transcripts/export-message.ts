import { arrayField, isRecord, type JsonRecord, omitUndefined, recordField, stringField } from "throughline/internal";

/** A message as `opencode export` prints it. */
export interface ExportMessage {
  readonly info: JsonRecord;
  readonly parts: readonly unknown[];
}

/** The id, session and data of a `session_message` row, which newer versions write. */
export interface SessionMessage {
  readonly id: string;
  readonly sessionID: string;
  readonly type: string;
  readonly data: JsonRecord;
}

/** Converts a `session_message` row to the older format; `undefined` if it is not a message. */
export function toExportMessage({ id, sessionID, type, data }: SessionMessage): ExportMessage | undefined {
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
