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
import type { PartDraft } from "../../message/part.ts";
import type { ToolContentItem, ToolOutput } from "../../message/tool-output.ts";
import { SessionWriter } from "../session-writer.ts";
import type { Emit, RecordPlace, RecordReader, SessionMeta } from "../transcript.ts";

const FORMAT = "pi";

/** Entries without messages. */
const PASSED_OVER: readonly unknown[] = ["model_change", "thinking_level_change", "custom", "label"];

/** pi sessions: one entry per line. Entries form a tree; branches are read in file order. */
export class PiReader implements RecordReader {
  readonly #emit: Emit;
  #writer: SessionWriter | undefined;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  push(record: unknown, { line }: RecordPlace): void {
    if (!isRecord(record)) throw new InvalidMessageError({ message: line - 1 }, "expected an object");
    if (record.type === "session") this.#begin(record);
    else if (record.type === "message") this.#message(record, line);
    else if (record.type === "compaction") this.#compaction(record, line);
    else if (record.type === "branch_summary") this.#inject(record, line, record.summary);
    else if (record.type === "custom_message") this.#inject(record, line, record.content);
    else this.#aside(record, line);
  }

  end(): void {
    // Every message was emitted with its line.
  }

  #session(): SessionWriter {
    this.#writer ??= new SessionWriter(this.#emit, "pi");
    return this.#writer;
  }

  #begin(record: JsonRecord): void {
    if (this.#writer !== undefined) this.#emit({ type: "ignored", kind: "session" });
    this.#writer ??= new SessionWriter(this.#emit, stringField(record, "id") ?? "pi", metaOf(record));
  }

  #message(record: JsonRecord, line: number): void {
    const raw = recordField(record, "message");
    if (raw === undefined) throw new InvalidMessageError({ message: line - 1 }, "entry without a message");
    this.#session().add({ ...originOf(record, line), ...readMessage(raw, line) });
  }

  #compaction(record: JsonRecord, line: number): void {
    const summary = stringField(record, "summary");
    const origin = originOf(record, line);
    const writer = this.#session();
    writer.compaction(
      omitUndefined({
        createdAt: origin.createdAt,
        tokensBefore: numberField(record, "tokensBefore"),
        summary,
        summaryMessageId: summary && origin.id,
        line,
      }),
    );
    if (summary) writer.add({ ...origin, role: "user", isSummary: true, parts: [injected(summary)] });
  }

  /** Adds text that pi or one of its extensions inserted as a user message. */
  #inject(record: JsonRecord, line: number, content: unknown): void {
    const parts = readContent(content, line).map((part) => (part.type === "text" ? injected(part.text) : part));
    this.#session().add({ ...originOf(record, line), role: "user", parts });
  }

  #aside(record: JsonRecord, line: number): void {
    const name = record.type === "session_info" ? stringField(record, "name") : undefined;
    if (name) this.#session().meta({ title: name });
    if (record.type === "session_info" || PASSED_OVER.includes(record.type)) {
      this.#emit({ type: "ignored", kind: String(record.type) });
      return;
    }
    const text = `a record of type ${JSON.stringify(record.type)}`;
    this.#emit({ type: "skipped", skipped: { line, kind: "unknown", text } });
  }
}

function injected(text: string): PartDraft {
  return { type: "text", text, synthetic: true };
}

function metaOf(record: JsonRecord): SessionMeta {
  return omitUndefined({ cwd: stringField(record, "cwd"), startedAt: parseTimestamp(record.timestamp) });
}

function originOf(record: JsonRecord, line: number): Omit<MessageDraft, "role" | "parts"> {
  const id = stringField(record, "id");
  return omitUndefined({
    id,
    parentId: stringField(record, "parentId"),
    createdAt: parseTimestamp(record.timestamp),
    provenance: omitUndefined({ format: FORMAT, id, line } as const),
  });
}

function readMessage(raw: JsonRecord, line: number): MessageDraft {
  switch (raw.role) {
    case "user":
      return { role: "user", parts: readContent(raw.content, line) };
    case "assistant":
      return omitUndefined({
        role: "assistant",
        modelId: stringField(raw, "model"),
        finishReason: stringField(raw, "stopReason"),
        usage: readUsage(raw),
        error: readError(raw),
        parts: readContent(raw.content, line),
      });
    case "toolResult":
      return { role: "tool", parts: [readResult(raw, line)] };
    case "bashExecution":
      // The user ran the command, but did not write its output.
      return { role: "user", parts: [injected(`$ ${String(raw.command)}\n${String(raw.output)}`)] };
    case "custom":
    case "hookMessage":
    case "branchSummary":
    case "compactionSummary":
      return {
        role: "user",
        parts: readContent(raw.content ?? raw.summary, line).map((part) =>
          part.type === "text" ? injected(part.text) : part,
        ),
      };
    default:
      throw new InvalidMessageError({ message: line - 1 }, `unknown role ${JSON.stringify(raw.role)}`);
  }
}

function readContent(content: unknown, line: number): PartDraft[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) {
    throw new InvalidMessageError({ message: line - 1 }, "content must be a string or an array of parts");
  }
  return content.map((part: unknown) => readPart(part) ?? { type: "opaque", format: FORMAT, value: part });
}

function readPart(part: unknown): PartDraft | undefined {
  if (!isRecord(part)) return undefined;
  const text = stringField(part, part.type === "thinking" ? "thinking" : "text");
  if (part.type === "text" && text !== undefined) return { type: "text", text };
  if (part.type === "thinking" && text !== undefined) return { type: "reasoning", text };
  const data = stringField(part, "data");
  const mediaType = stringField(part, "mimeType");
  if (part.type === "image" && data !== undefined && mediaType !== undefined) {
    return { type: "file", mediaType, data: { type: "data", data } };
  }
  const toolCallId = stringField(part, "id");
  const toolName = stringField(part, "name");
  return part.type === "toolCall" && toolCallId !== undefined && toolName !== undefined
    ? { type: "tool-call", toolCallId, toolName, input: part.arguments ?? {} }
    : undefined;
}

function readResult(raw: JsonRecord, line: number): PartDraft {
  const toolCallId = stringField(raw, "toolCallId");
  const toolName = stringField(raw, "toolName") ?? "unknown";
  if (toolCallId === undefined) throw new InvalidMessageError({ message: line - 1 }, "result without a call id");
  return { type: "tool-result", toolCallId, toolName, output: readOutput(raw) };
}

function readOutput(raw: JsonRecord): ToolOutput {
  const pieces = typeof raw.content === "string" ? [{ type: "text", text: raw.content }] : arrayField(raw, "content");
  const items = (pieces ?? []).map(readItem);
  const texts = items.map(({ type, text }) => (type === "text" ? String(text) : ""));
  if (raw.isError === true) return { type: "error-text", value: texts.join("\n") };
  return items.every(({ type }) => type === "text")
    ? { type: "text", value: texts.join("\n") }
    : { type: "content", value: items };
}

function readItem(part: unknown): ToolContentItem {
  const read = readPart(part);
  if (read?.type === "text") return { type: "text", text: read.text };
  return read?.type === "file" && read.data.type === "data"
    ? { type: "image-data", data: read.data.data, mediaType: read.mediaType }
    : { type: "custom", value: part };
}

function readUsage(raw: JsonRecord): TokenUsage | undefined {
  const usage = recordField(raw, "usage");
  if (usage === undefined) return undefined;
  return {
    input: numberField(usage, "input") ?? 0,
    output: numberField(usage, "output") ?? 0,
    cache: { read: numberField(usage, "cacheRead") ?? 0, write: numberField(usage, "cacheWrite") ?? 0 },
  };
}

function readError(raw: JsonRecord): MessageError | undefined {
  const aborted = raw.stopReason === "aborted";
  if (!aborted && raw.stopReason !== "error") return undefined;
  const message = stringField(raw, "errorMessage") ?? (aborted ? "aborted" : "The model call failed.");
  return omitUndefined({ name: aborted ? "AbortError" : "ApiError", message, aborted: aborted || undefined });
}
