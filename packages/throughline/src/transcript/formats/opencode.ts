import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import type { MessageDraft, MessageError, TokenUsage } from "../../message/message.ts";
import type { PartDraft, ProviderOptions } from "../../message/part.ts";
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
import type { Emit, RecordReader, SessionMeta } from "../transcript.ts";

const FORMAT = "opencode";

/** OpenCode exports: one document, a message of the assistant per step, call and result in one part. */
export function createOpenCodeReader(emit: Emit): RecordReader {
  let writer: SessionWriter | undefined;
  let held: { readonly id: string | undefined; readonly meta: SessionMeta } | undefined;
  const session = (id = "opencode") => {
    writer ??= new SessionWriter(emit, held?.id ?? id, held?.meta);
    return writer;
  };

  const pushMessage = (record: JsonRecord, index: number) => {
    const info = recordField(record, "info");
    const parts = arrayField(record, "parts");
    const role = info?.role;
    if (info === undefined || parts === undefined || (role !== "user" && role !== "assistant")) {
      throw new InvalidMessageError({ message: index }, "expected info with a role, and parts");
    }
    const out = session(stringField(info, "sessionID"));
    const read = parts.filter(isRecord).map(readPart);
    const isSummary = role === "assistant" && info.summary === true;
    const draft: MessageDraft = omitUndefined({
      ...originOf(info),
      role,
      isSummary: isSummary || undefined,
      isCompactionTrigger: parts.some((part) => isRecord(part) && part.type === "compaction") || undefined,
      parts: read.flatMap((one) => one.said),
    });
    if (isSummary) {
      const summary = draft.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
      out.compaction(omitUndefined({ createdAt: draft.createdAt, summary, summaryMessageId: draft.id }));
    }
    const message = out.add(draft);
    const results = read.flatMap((one) => one.answered);
    if (results.length === 0) return;
    const { createdAt, provenance } = message;
    out.add(omitUndefined({ role: "tool", id: `${message.id}/results`, createdAt, provenance, parts: results }));
  };

  return {
    push(record, { path }) {
      if (!isRecord(record)) throw new InvalidMessageError({ message: 0 }, "expected an object");
      if (path[0] === "messages") pushMessage(record, Number(path[1] ?? 0));
      else if (writer === undefined) held = { id: stringField(record, "id"), meta: metaOf(record) };
      else writer.meta(metaOf(record));
    },
    end() {
      session();
    },
  };
}

function metaOf(info: JsonRecord): SessionMeta {
  return omitUndefined({
    title: stringField(info, "title"),
    cwd: stringField(info, "directory"),
    version: stringField(info, "version"),
    startedAt: readTime(recordField(info, "time")?.created),
    parentId: stringField(info, "parentID"),
  });
}

function originOf(info: JsonRecord): Omit<MessageDraft, "role" | "parts"> {
  const id = stringField(info, "id");
  return omitUndefined({
    id,
    parentId: stringField(info, "parentID"),
    createdAt: readTime(recordField(info, "time")?.created),
    modelId: stringField(info, "modelID"),
    finishReason: stringField(info, "finish"),
    error: readError(info),
    usage: readUsage(info),
    provenance: omitUndefined({ format: FORMAT, id } as const),
  });
}

function readError(info: JsonRecord): MessageError | undefined {
  const error = recordField(info, "error");
  if (error === undefined) return undefined;
  const name = stringField(error, "name") ?? "Error";
  const data = recordField(error, "data");
  const message = (data && stringField(data, "message")) ?? stringField(error, "message") ?? name;
  return omitUndefined({ name, message, aborted: name === "MessageAbortedError" || undefined });
}

function readUsage(info: JsonRecord): TokenUsage | undefined {
  const tokens = recordField(info, "tokens");
  if (tokens === undefined) return undefined;
  const cache = recordField(tokens, "cache") ?? {};
  return {
    input: numberField(tokens, "input") ?? 0,
    output: numberField(tokens, "output") ?? 0,
    cache: { read: numberField(cache, "read") ?? 0, write: numberField(cache, "write") ?? 0 },
  };
}

interface ReadPart {
  readonly said: readonly PartDraft[];
  readonly answered: readonly PartDraft[];
}

function readPart(raw: JsonRecord): ReadPart {
  const tool = raw.type === "tool" ? readTool(raw) : undefined;
  return tool ?? { said: [readSaid(raw)], answered: [] };
}

function readSaid(raw: JsonRecord): PartDraft {
  const text = stringField(raw, "text");
  const url = stringField(raw, "url");
  const mediaType = stringField(raw, "mime");
  const providerOptions = recordField(raw, "metadata") as ProviderOptions | undefined;
  if (raw.type === "text" && text !== undefined) {
    return omitUndefined({ type: "text", text, synthetic: raw.synthetic === true || undefined });
  }
  if (raw.type === "reasoning" && text !== undefined)
    return omitUndefined({ type: "reasoning", text, providerOptions });
  if (raw.type === "step-start") return { type: "step-start" };
  if (raw.type === "file" && url !== undefined && mediaType !== undefined) {
    return omitUndefined({
      type: "file",
      mediaType,
      filename: stringField(raw, "filename"),
      data: { type: "url", url },
    });
  }
  return { type: "opaque", format: FORMAT, value: raw };
}

function readTool(raw: JsonRecord): ReadPart | undefined {
  const toolCallId = stringField(raw, "callID");
  const toolName = stringField(raw, "tool");
  const state = recordField(raw, "state");
  if (toolCallId === undefined || toolName === undefined || state === undefined) return undefined;
  const call: PartDraft = { type: "tool-call", toolCallId, toolName, input: state.input ?? {} };
  const output = readOutput(state);
  if (output === undefined) return { said: [call], answered: [] };
  const compactedAt = readTime(recordField(state, "time")?.compacted);
  return {
    said: [call],
    answered: [omitUndefined({ type: "tool-result", toolCallId, toolName, output, compactedAt })],
  };
}

/** A call can stay `pending` or `running` for ever: then it has no result. */
function readOutput(state: JsonRecord): ToolOutput | undefined {
  if (state.status === "completed") return { type: "text", value: stringField(state, "output") ?? "" };
  if (state.status === "error") return { type: "error-text", value: stringField(state, "error") ?? "The tool failed." };
  return undefined;
}
