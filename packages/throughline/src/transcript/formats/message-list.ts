import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import { isRecord, type JsonRecord } from "../../internal/json.ts";
import type { MessageDraft } from "../../message/message.ts";
import { SessionWriter } from "../session-writer.ts";
import { skipBroken } from "../skip-broken.ts";
import type { Emit, RecordPlace, RecordReader } from "../transcript.ts";
import { UniqueIds } from "../unique-ids.ts";
import { LIST_FIELDS, messagesIn, SESSION_FIELDS } from "./list-fields.ts";
import { createMessageReader, type ListFormat, type MessageReader } from "./read-list-message.ts";
import { isResponsesItem } from "./responses-item.ts";

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
  #held: Found[] = [];
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
    this.#held.push(found);
    const isKnown = systemOf(this.#beside) !== undefined && idOf(this.#beside) !== undefined;
    if (isKnown) this.#release();
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    if (held.length === 0 && systemOf(this.#beside) === undefined) return;
    const list = this.#current();
    for (const found of held) this.#take(list, found, found.line - 1);
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
