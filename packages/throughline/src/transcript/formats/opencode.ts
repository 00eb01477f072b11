import { InvalidMessageError } from "../../errors/input-errors.ts";
import {
  arrayField,
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  recordField,
  stringField,
} from "../../internal/json.ts";
import { parseTimestamp } from "../../internal/time.ts";
import type { MessageDraft, MessageError, TokenUsage } from "../../message/message.ts";
import type { Foreign, PartDraft, ProviderOptions } from "../../message/part.ts";
import type { ToolContentItem, ToolOutput } from "../../message/tool-output.ts";
import { SessionWriter, skipBroken } from "../session-writer.ts";
import type { Emit, RecordPlace, RecordReader, SessionMeta } from "../transcript.ts";

/** An OpenCode part: a call and its result in one. */
interface ReadPart {
  readonly said: readonly PartDraft[];
  readonly answered: readonly PartDraft[];
}

/**
 * OpenCode exports: one document, one assistant message per step, call and result in one part. In lines, an export
 * opens a session, and its messages may follow in separate lines.
 */
export class OpenCodeReader implements RecordReader {
  readonly #emit: Emit;
  #writer: SessionWriter | undefined;
  readonly #sessions = new Map<string, SessionWriter>();
  /** Session metadata, if it came before the messages. */
  #info: JsonRecord | undefined;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  push(record: unknown, { line, path }: RecordPlace): void {
    if (!isRecord(record)) throw new InvalidMessageError({ message: line - 1 }, "expected an object");
    const messages = path.length === 0 ? arrayField(record, "messages") : undefined;
    if (messages !== undefined) this.#begin(record, messages, line);
    else if (path[0] !== "info") this.#message(record, line);
    else if (this.#writer === undefined) this.#info = record;
    else this.#writer.meta(metaOf(record));
  }

  end(): void {
    if (this.#info !== undefined) this.#session();
  }

  #session(id = "opencode"): SessionWriter {
    const info = this.#info ?? {};
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    this.#writer ??= this.#open(stringField(info, "id") ?? id, info);
    return this.#writer;
  }

  /** Reads one of several exports in a file. */
  #begin(record: JsonRecord, messages: readonly unknown[], line: number): void {
    const info = recordField(record, "info");
    if (info === undefined) throw new InvalidMessageError({ message: line - 1 }, "expected `info` of a session");
    const id = stringField(info, "id") ?? "opencode";
    this.#writer = this.#sessions.get(id) ?? this.#open(id, info);
    for (const message of messages) {
      skipBroken(this.#emit, line, () => {
        if (!isRecord(message)) throw new InvalidMessageError({ message: line - 1 }, "expected an object");
        this.#message(message, line);
      });
    }
  }

  #open(id: string, info: JsonRecord): SessionWriter {
    const writer = new SessionWriter(this.#emit, id, metaOf(info));
    this.#sessions.set(id, writer);
    return writer;
  }

  #message(record: JsonRecord, line: number): void {
    const info = recordField(record, "info");
    const raw = arrayField(record, "parts");
    const role = info?.role;
    if (info === undefined || raw === undefined || (role !== "user" && role !== "assistant")) {
      throw new InvalidMessageError({ message: line - 1 }, "expected `info` with a role, and `parts`");
    }
    const read = this.#readParts(role === "user" ? raw.map(unquote) : raw, line);
    const isSummary = role === "assistant" && info.summary === true;
    const draft: MessageDraft = omitUndefined({
      ...originOf(info),
      role,
      isSummary: isSummary || undefined,
      isCompactionTrigger: raw.some((part) => isRecord(part) && part.type === "compaction") || undefined,
      parts: read.flatMap((part) => part.said),
    });
    const results = read.flatMap((part) => part.answered);
    this.#write(this.#session(stringField(info, "sessionID")), draft, results);
  }

  #readParts(raw: readonly unknown[], line: number): ReadPart[] {
    return raw.flatMap((part, index) => {
      if (isRecord(part)) return readPart(part);
      const text = `part ${index} is not an object`;
      this.#emit({ type: "skipped", skipped: { line, kind: "broken", text } });
      return [];
    });
  }

  #write(writer: SessionWriter, draft: MessageDraft, results: readonly PartDraft[]): void {
    if (draft.isSummary === true) {
      const summary = draft.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
      writer.compaction(omitUndefined({ createdAt: draft.createdAt, summary, summaryMessageId: draft.id }));
    }
    const message = writer.add(draft);
    if (results.length === 0) return;
    const { createdAt, provenance } = message;
    writer.add(omitUndefined({ role: "tool", id: `${message.id}/results`, createdAt, provenance, parts: results }));
  }
}

/** `opencode run "fix the cart"` stores the prompt with quotes that the user did not type. */
function unquote(part: unknown): unknown {
  const text = isRecord(part) && part.type === "text" ? stringField(part, "text") : undefined;
  if (!isRecord(part) || text === undefined || !text.startsWith('"') || !text.endsWith('"')) return part;
  const inner = text.slice(1, -1);
  const isOneArgument = inner.includes(" ") && !inner.replaceAll('\\"', "").includes('"');
  return isOneArgument ? { ...part, text: inner.replaceAll('\\"', '"') } : part;
}

function metaOf(info: JsonRecord): SessionMeta {
  return omitUndefined({
    title: stringField(info, "title"),
    cwd: stringField(info, "directory"),
    version: stringField(info, "version"),
    startedAt: parseTimestamp(recordField(info, "time")?.created),
    parentId: stringField(info, "parentID"),
  });
}

function originOf(info: JsonRecord): Omit<MessageDraft, "role" | "parts"> {
  const id = stringField(info, "id");
  return omitUndefined({
    id,
    parentId: stringField(info, "parentID"),
    createdAt: parseTimestamp(recordField(info, "time")?.created),
    modelId: stringField(info, "modelID"),
    finishReason: stringField(info, "finish"),
    error: readError(info),
    usage: readUsage(info),
    provenance: omitUndefined({ format: "opencode", id } as const),
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
    output: (numberField(tokens, "output") ?? 0) + (numberField(tokens, "reasoning") ?? 0),
    cache: { read: numberField(cache, "read") ?? 0, write: numberField(cache, "write") ?? 0 },
  };
}

const FORMAT = "opencode";

function readPart(raw: JsonRecord): ReadPart {
  const tool = raw.type === "tool" ? readTool(raw) : undefined;
  return tool ?? { said: [readSaid(raw)], answered: [] };
}

function readSaid(raw: JsonRecord): PartDraft {
  const text = stringField(raw, "text");
  const url = stringField(raw, "url");
  const mediaType = stringField(raw, "mime");
  const metadata = readMetadata(raw);
  if (raw.type === "text" && text !== undefined) {
    return omitUndefined({ type: "text", text, synthetic: raw.synthetic === true || undefined, ...metadata });
  }
  if (raw.type === "reasoning" && text !== undefined) return { type: "reasoning", text, ...metadata };
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
  const call: PartDraft = { type: "tool-call", toolCallId, toolName, input: state.input ?? {}, ...readMetadata(raw) };
  const output = readOutput(state);
  if (output === undefined) return { said: [call], answered: [] };
  const compactedAt = parseTimestamp(recordField(state, "time")?.compacted);
  return {
    said: [call],
    answered: [omitUndefined({ type: "tool-result", toolCallId, toolName, output, compactedAt })],
  };
}

/** Metadata is provider options if it has one record per provider; otherwise it is kept unchanged. */
function readMetadata({ metadata }: JsonRecord): { providerOptions?: ProviderOptions; foreign?: Foreign } {
  if (metadata === undefined) return {};
  const isForProviders = isRecord(metadata) && Object.values(metadata).every(isRecord);
  return isForProviders
    ? { providerOptions: metadata as ProviderOptions }
    : { foreign: { format: FORMAT, fields: { metadata } } };
}

/** A call may stay `pending` or `running` forever; it then has no result. */
function readOutput(state: JsonRecord): ToolOutput | undefined {
  const files = arrayField(state, "attachments") ?? [];
  if (state.status === "completed") {
    const text = stringField(state, "output") ?? "";
    if (files.length === 0) return { type: "text", value: text };
    return { type: "content", value: [{ type: "text", text }, ...files.map(readAttachment)] };
  }
  if (state.status === "error") return { type: "error-text", value: stringField(state, "error") ?? "The tool failed." };
  return undefined;
}

/** Converts a file in a result to the AI SDK's form. OpenCode writes the data into the URL. */
function readAttachment(raw: unknown): ToolContentItem {
  const url = isRecord(raw) ? stringField(raw, "url") : undefined;
  const mediaType = isRecord(raw) ? stringField(raw, "mime") : undefined;
  if (!isRecord(raw) || url === undefined || mediaType === undefined) return { type: "custom", value: raw };
  const kind = mediaType.startsWith("image/") ? "image" : "file";
  const data = /^data:[^,]*;base64,(?<data>.*)$/s.exec(url)?.groups?.data;
  if (data === undefined) return kind === "image" ? { type: "image-url", url } : { type: "file-url", url, mediaType };
  const filename = kind === "file" ? stringField(raw, "filename") : undefined;
  return omitUndefined({ type: `${kind}-data`, data, mediaType, filename });
}
