import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import type { MessageDraft, TokenUsage } from "../../message/message.ts";
import type { PartDraft } from "../../message/part.ts";
import {
  arrayField,
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  recordField,
  stringField,
} from "../../message/read-json.ts";
import type { ToolOutput } from "../../message/tool-output.ts";
import { readTime } from "../read-time.ts";
import { SessionWriter } from "../session-writer.ts";
import type { Emit, RecordReader } from "../transcript.ts";

const FORMAT = "gemini";

/**
 * Gemini CLI: a document, or lines in which a message of the same id replaces, `$set` patches the session and
 * `$rewindTo` takes back. What a later line may change cannot be told before the end, so messages come out there.
 */
export function createGeminiReader(emit: Emit): RecordReader {
  const session: Record<string, unknown> = {};
  const messages = new Map<string, { readonly record: JsonRecord; readonly line: number }>();
  const takeMessage = (record: JsonRecord, line: number) => {
    const type = stringField(record, "type");
    if (type === undefined) throw new InvalidMessageError({ message: messages.size }, "a message without a type");
    messages.set(stringField(record, "id") ?? `line-${line}`, { record, line });
  };
  const takeSession = (fields: JsonRecord, line: number) => {
    const { messages: list, ...rest } = fields;
    Object.assign(session, rest);
    if (!Array.isArray(list)) return;
    messages.clear();
    for (const message of list.filter(isRecord)) takeMessage(message, line);
  };
  const rewindTo = (id: string) => {
    const ids = [...messages.keys()];
    const from = ids.indexOf(id);
    for (const gone of from < 0 ? [] : ids.slice(from)) messages.delete(gone);
    emit({ type: "passed-over", kind: "rewind" });
  };

  return {
    push(record, { line, path }) {
      if (path.length === 1) {
        session[String(path[0])] = record;
        return;
      }
      if (!isRecord(record)) throw new InvalidMessageError({ message: messages.size }, "expected an object");
      const rewind = stringField(record, "$rewindTo");
      const patch = recordField(record, "$set");
      if (path[0] === "messages") takeMessage(record, line);
      else if (rewind !== undefined) rewindTo(rewind);
      else if (patch !== undefined) takeSession(patch, line);
      else if ("sessionId" in record) takeSession(record, line);
      else takeMessage(record, line);
    },
    end() {
      const id = stringField(session, "sessionId") ?? "gemini-cli";
      const startedAt = readTime(session.startTime);
      const title = stringField(session, "summary");
      const writer = new SessionWriter(emit, id, omitUndefined({ title, startedAt }));
      for (const { record, line } of messages.values()) {
        const drafts = readMessage(record, line);
        if (drafts.length === 0) emit({ type: "passed-over", kind: `message/${String(record.type)}` });
        for (const draft of drafts) writer.add(draft);
      }
    },
  };
}

/** `info`, `warning` and `error` were shown to the user, not said. */
function readMessage(record: JsonRecord, line: number): MessageDraft[] {
  const id = stringField(record, "id");
  const origin = omitUndefined({
    id,
    createdAt: readTime(record.timestamp),
    provenance: omitUndefined({ format: FORMAT, id, line } as const),
  });
  if (record.type === "user") return [{ ...origin, role: "user", parts: readContent(record.content) }];
  if (record.type !== "gemini") return [];
  const calls = (arrayField(record, "toolCalls") ?? []).filter(isRecord);
  const parts = [...readThoughts(record), ...readContent(record.content), ...calls.flatMap(readCall)];
  const results = calls.flatMap(readResult);
  const said: MessageDraft = omitUndefined({
    ...origin,
    role: "assistant",
    modelId: stringField(record, "model"),
    usage: readUsage(record),
    parts,
  });
  if (results.length === 0) return [said];
  const { id: _, ...rest } = origin;
  return [said, { ...rest, ...(id === undefined ? {} : { id: `${id}/results` }), role: "tool", parts: results }];
}

/** Text, one part, or a list of parts; a part that is no text is carried as it is. */
function readContent(content: unknown): PartDraft[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  const list = Array.isArray(content) ? content : content === undefined || content === null ? [] : [content];
  return list.map((part: unknown): PartDraft => {
    if (typeof part === "string") return { type: "text", text: part };
    const text = isRecord(part) ? stringField(part, "text") : undefined;
    if (text !== undefined) return { type: "text", text };
    const inline = isRecord(part) ? recordField(part, "inlineData") : undefined;
    const data = inline && stringField(inline, "data");
    const mediaType = inline && stringField(inline, "mimeType");
    return data !== undefined && mediaType !== undefined
      ? { type: "file", mediaType, data: { type: "data", data } }
      : { type: "opaque", format: FORMAT, value: part };
  });
}

function readThoughts(record: JsonRecord): PartDraft[] {
  return (arrayField(record, "thoughts") ?? []).filter(isRecord).map((thought) => {
    const texts = [stringField(thought, "subject"), stringField(thought, "description")];
    return { type: "reasoning", text: texts.filter((text) => text !== undefined).join(": ") };
  });
}

function readCall(raw: JsonRecord): PartDraft[] {
  const toolCallId = stringField(raw, "id");
  const toolName = stringField(raw, "name");
  if (toolCallId === undefined || toolName === undefined) return [{ type: "opaque", format: FORMAT, value: raw }];
  return [{ type: "tool-call", toolCallId, toolName, input: raw.args ?? {} }];
}

function readResult(raw: JsonRecord): PartDraft[] {
  const toolCallId = stringField(raw, "id");
  const toolName = stringField(raw, "name");
  if (toolCallId === undefined || toolName === undefined || raw.result === undefined || raw.result === null) return [];
  return [{ type: "tool-result", toolCallId, toolName, output: readOutput(raw.result) }];
}

/** Usually one `functionResponse` with `output` or `error`; anything else is kept as JSON. */
function readOutput(result: unknown): ToolOutput {
  const [only, ...more] = Array.isArray(result) ? result : [result];
  const response = isRecord(only) ? recordField(recordField(only, "functionResponse") ?? {}, "response") : undefined;
  const output = response && stringField(response, "output");
  const error = response && stringField(response, "error");
  if (more.length === 0 && output !== undefined) return { type: "text", value: output };
  if (more.length === 0 && error !== undefined) return { type: "error-text", value: error };
  return { type: "json", value: result };
}

/** The input counts what was cached too. */
function readUsage(record: JsonRecord): TokenUsage | undefined {
  const tokens = recordField(record, "tokens");
  if (tokens === undefined) return undefined;
  const read = numberField(tokens, "cached") ?? 0;
  const input = (numberField(tokens, "input") ?? 0) - read;
  const output = (numberField(tokens, "output") ?? 0) + (numberField(tokens, "thoughts") ?? 0);
  return { input, output, cache: { read, write: 0 } };
}
