import { InvalidMessageError } from "../../errors/input-errors.ts";
import { arrayField, isRecord, type JsonRecord, omitUndefined, stringField } from "../../internal/json.ts";
import { parseTimestamp } from "../../internal/time.ts";
import { readModelMessage } from "../../message/convert/ai-sdk.ts";
import { readAnthropicMessage } from "../../message/convert/anthropic.ts";
import type { ToolNames } from "../../message/convert/conversion.ts";
import { readChatMessage } from "../../message/convert/openai/openai-chat.ts";
import { createItemAssembler } from "../../message/convert/openai/openai-responses.ts";
import { readUiMessage } from "../../message/convert/ui-message.ts";
import type { MessageDraft } from "../../message/message.ts";
import type { ForeignFormat } from "../../message/part.ts";
import { SessionWriter, skipBroken, UniqueIds } from "../session-writer.ts";
import type { Emit, RecordPlace, RecordReader, TranscriptFormat } from "../transcript.ts";

/** Fields that hold the messages of a session. */
export const LIST_FIELDS: readonly string[] = ["messages", "traj", "conversation", "history", "items", "input"];

/** Fields that contain several sessions in one document. */
export const SESSION_FIELDS: readonly string[] = ["simulations", "sessions", "conversations"];

type ListFormat = Extract<TranscriptFormat, "openai" | "anthropic" | "ai-sdk">;

/** Reads the messages of one list and keeps the state that later messages need. */
interface MessageReader {
  push(raw: JsonRecord, index: number): MessageDraft[];
  end(): MessageDraft[];
}

const ID_FIELDS = ["id", "session_id", "sessionId", "conversation_id", "task_id"] as const;
const SYSTEM_FIELDS = ["system", "instructions"] as const;

/** Paths of messages and sessions in a document that is an object. In an array they are its entries. */
export const LIST_PATHS: readonly string[] = [
  ...[...SYSTEM_FIELDS, ...ID_FIELDS].map((field) => `$.${field}`),
  ...[...LIST_FIELDS, ...SESSION_FIELDS].map((field) => `$.${field}.*`),
];

interface Found {
  readonly record: unknown;
  readonly line: number;
}

/** Lists of messages as sent to a model: one list, several, or sessions with one list each. */
export class ListReader implements RecordReader {
  readonly #emit: Emit;
  readonly #format: ListFormat;
  readonly #ids = new UniqueIds();
  #sessions = 0;
  /** Other fields of the document. */
  readonly #beside: Record<string, unknown> = {};
  /** Messages of a document, held until its other fields are known: these may come last. */
  #pending: Found[] = [];
  #open: OpenList | undefined;

  constructor(emit: Emit, format: ListFormat) {
    this.#emit = emit;
    this.#format = format;
  }

  push(record: unknown, { line, path }: RecordPlace): void {
    const [field] = path;
    if (path.length === 1 && typeof field === "string") {
      this.#beside[field] = record;
      return;
    }
    const messages = isRecord(record) ? messagesIn(record) : undefined;
    if (isRecord(record) && messages !== undefined) this.#session(record, messages, line);
    else if (path.length === 2) this.#hold({ record, line });
    else this.#take(this.#current(), { record, line }, line - 1);
  }

  end(): void {
    this.#release();
    this.#open?.end();
  }

  #session(record: JsonRecord, messages: readonly unknown[], line: number): void {
    const list = this.#start(record, line);
    list.open();
    messages.forEach((message, index) => {
      this.#take(list, { record: message, line }, index);
    });
    list.end();
  }

  #hold(found: Found): void {
    this.#pending.push(found);
    const isKnown = systemOf(this.#beside) !== undefined && idOf(this.#beside) !== undefined;
    if (isKnown) this.#release();
  }

  #release(): void {
    const pending = this.#pending;
    this.#pending = [];
    if (pending.length === 0 && systemOf(this.#beside) === undefined) return;
    const list = this.#current();
    for (const found of pending) this.#take(list, found, found.line - 1);
  }

  #current(): OpenList {
    this.#open ??= this.#start(this.#beside, 1);
    return this.#open;
  }

  #start(beside: JsonRecord, line: number): OpenList {
    const open = () => {
      this.#sessions += 1;
      return new SessionWriter(this.#emit, this.#ids.take(idOf(beside) ?? `session-${this.#sessions}`));
    };
    const list = new OpenList(open, createMessageReader(this.#format));
    const content = systemOf(beside);
    if (content !== undefined) this.#take(list, { record: { role: "system", content }, line }, 0);
    return list;
  }

  #take(list: OpenList, { record, line }: Found, index: number): void {
    if (this.#format === "openai" && isUnknown(record)) {
      const text = `a record of type ${JSON.stringify(record.type)}`;
      this.#emit({ type: "skipped", skipped: { line, kind: "unknown", text } });
      return;
    }
    skipBroken(this.#emit, line, () => {
      if (!isRecord(record)) throw new InvalidMessageError({ message: index }, "expected an object");
      list.push(record, index);
    });
  }
}

/** One list. Its session begins with the first message. */
class OpenList {
  readonly #start: () => SessionWriter;
  readonly #reader: MessageReader;
  #writer: SessionWriter | undefined;

  constructor(start: () => SessionWriter, reader: MessageReader) {
    this.#start = start;
    this.#reader = reader;
  }

  open(): SessionWriter {
    this.#writer ??= this.#start();
    return this.#writer;
  }

  push(record: JsonRecord, index: number): void {
    this.#write(this.#reader.push(record, index));
  }

  end(): void {
    this.#write(this.#reader.end());
  }

  #write(drafts: readonly MessageDraft[]): void {
    for (const draft of drafts) this.open().add(draft);
  }
}

function isUnknown(record: unknown): record is JsonRecord {
  return isRecord(record) && typeof record.type === "string" && !("role" in record) && !isResponsesItem(record);
}

function systemOf(record: JsonRecord): unknown {
  return SYSTEM_FIELDS.map((field) => record[field]).find((value) => value !== undefined && value !== null);
}

function idOf(record: JsonRecord): string | undefined {
  const id = ID_FIELDS.map((field) => record[field]).find((value) => value !== undefined);
  if (typeof id !== "string" && typeof id !== "number") return undefined;
  return record.trial === undefined || record.id !== undefined ? String(id) : `${id}-${String(record.trial)}`;
}

function createMessageReader(format: ListFormat): MessageReader {
  if (format === "anthropic") return anthropicReader();
  return format === "ai-sdk" ? aiSdkReader() : openAiReader();
}

function anthropicReader(): MessageReader {
  const names: ToolNames = new Map();
  return {
    push: (raw, index) => from("anthropic", raw, readAnthropicMessage(raw, index, names)),
    end: () => [],
  };
}

/** Reads model messages and UI messages (with `parts`). */
function aiSdkReader(): MessageReader {
  const provided = new Set<string>();
  return {
    push: (raw, index) =>
      Array.isArray(raw.parts)
        ? from("ai-sdk-ui", raw, readUiMessage(raw, index))
        : from("ai-sdk", raw, [readModelMessage(raw, index, provided)]),
    end: () => [],
  };
}

/** Reads chat messages and Responses items, also mixed. */
function openAiReader(): MessageReader {
  const names: ToolNames = new Map();
  const items = createItemAssembler();
  return {
    push(raw, index) {
      if (isResponsesItem(raw)) return items.push(raw, index, { provenance: { format: "openai-responses" } });
      const message = readChatMessage(toStandardChat(raw), index, names);
      return [...items.end(), ...from("openai-chat", raw, [message])];
    },
    end: () => items.end(),
  };
}

function from(format: ForeignFormat, raw: JsonRecord, drafts: readonly MessageDraft[]): MessageDraft[] {
  const createdAt = parseTimestamp(raw.timestamp ?? raw.created_at ?? raw.createdAt);
  const id = stringField(raw, "id");
  return drafts.map((draft) => ({
    ...omitUndefined({ createdAt, provenance: omitUndefined({ format, id }) }),
    ...draft,
  }));
}

/** Some programs write OpenAI's messages flat: calls without `function`, and results whose own id is the call id. */
function toStandardChat(raw: JsonRecord): JsonRecord {
  const calls = arrayField(raw, "tool_calls");
  const { tool_calls: _, ...rest } = raw;
  const withCalls =
    raw.tool_calls === null ? rest : calls === undefined ? raw : { ...raw, tool_calls: calls.map(nest) };
  if (raw.role !== "tool" || "tool_call_id" in raw || typeof raw.id !== "string") return withCalls;
  return { ...withCalls, tool_call_id: raw.id };
}

function nest(call: unknown): unknown {
  if (!isRecord(call) || "function" in call || "custom" in call) return call;
  const { name, arguments: input, ...rest } = call;
  const text = stringField(call, "arguments") ?? JSON.stringify(input ?? {});
  return { ...rest, type: "function", function: { name, arguments: text } };
}

const ITEM_TYPES = /^(message|reasoning|item_reference|mcp_.+|.+_call|.+_output|(.+_)?compaction(_.+)?)$/;

/** True for an item of OpenAI's Responses API. Chat messages have no `type`. */
export function isResponsesItem(raw: JsonRecord): boolean {
  return typeof raw.type === "string" && ITEM_TYPES.test(raw.type) && !("tool_calls" in raw) && raw.role !== "tool";
}

/** Messages of a session record; `undefined` if the record is itself a message. */
export function messagesIn(record: JsonRecord): readonly unknown[] | undefined {
  if ("role" in record) return undefined;
  return LIST_FIELDS.map((name) => record[name]).find((value) => Array.isArray(value));
}
