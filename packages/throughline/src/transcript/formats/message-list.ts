import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import { readModelMessage } from "../../message/convert/ai-sdk.ts";
import { readAnthropicMessage } from "../../message/convert/anthropic.ts";
import type { ToolNames } from "../../message/convert/conversion.ts";
import { readChatMessage } from "../../message/convert/openai-chat.ts";
import { createItemAssembler } from "../../message/convert/openai-responses.ts";
import { readUiMessage } from "../../message/convert/ui-message.ts";
import type { MessageDraft } from "../../message/message.ts";
import type { ForeignFormat } from "../../message/part.ts";
import { isRecord, type JsonRecord, omitUndefined, stringField } from "../../message/read-json.ts";
import { readTime } from "../read-time.ts";
import { SessionWriter } from "../session-writer.ts";
import type { Emit, RecordReader, TranscriptFormat } from "../transcript.ts";
import { toStandardChat } from "./flat-chat.ts";

type ListFormat = Extract<TranscriptFormat, "openai" | "anthropic" | "ai-sdk">;

/** The fields under which files of sessions keep the messages of each. */
export const LIST_FIELDS = ["messages", "traj", "conversation", "history", "items", "input"] as const;

/** The fields under which one document keeps several sessions. */
export const SESSION_FIELDS = ["simulations", "sessions", "conversations"] as const;

const ID_FIELDS = ["id", "session_id", "sessionId", "conversation_id", "task_id"] as const;

/** Where messages and sessions are looked for in a document that is an object; in a list, they are its entries. */
export const LIST_PATHS: readonly string[] = [
  ...["system", ...ID_FIELDS].map((field) => `$.${field}`),
  ...[...LIST_FIELDS, ...SESSION_FIELDS].map((field) => `$.${field}.*`),
];

/** Lists of messages as they are sent to a model: one list, several, or sessions that hold one each. */
export function createListReader(emit: Emit, format: ListFormat): RecordReader {
  let count = 0;
  let open: { readonly writer: SessionWriter; readonly list: ListState } | undefined;
  const start = (id: string | undefined) => {
    count += 1;
    return { writer: new SessionWriter(emit, id ?? `session-${count}`), list: createListState(format) };
  };
  let id: string | undefined;
  const current = () => {
    open ??= start(id);
    return open;
  };
  const readSession = (record: JsonRecord, messages: readonly unknown[], line: number) => {
    const { writer, list } = start(idOf(record));
    if (record.system !== undefined) writeAll(writer, list.push({ role: "system", content: record.system }, 0));
    messages.forEach((message, index) => {
      try {
        writeAll(writer, list.push(message, index));
      } catch (error) {
        if (!(error instanceof InvalidMessageError)) throw error;
        emit({ type: "skipped", skipped: { line, kind: "broken", text: error.message } });
      }
    });
    writeAll(writer, list.end());
  };

  return {
    push(record, { line, path }) {
      const [field] = path;
      if (path.length === 1 && field === "system") {
        const { writer, list } = current();
        return writeAll(writer, list.push({ role: "system", content: record }, 0));
      }
      if (path.length === 1 && typeof field === "string") {
        id ??= idOf({ [field]: record });
        return;
      }
      if (!isRecord(record)) throw new InvalidMessageError({ message: line - 1 }, "expected an object");
      const inner = LIST_FIELDS.map((name) => record[name]).find((value) => Array.isArray(value));
      if (inner !== undefined && !("role" in record)) return readSession(record, inner, line);
      const { writer, list } = current();
      writeAll(writer, list.push(record, line - 1));
    },
    end() {
      if (open !== undefined) writeAll(open.writer, open.list.end());
    },
  };
}

function writeAll(writer: SessionWriter, drafts: readonly MessageDraft[]): void {
  for (const draft of drafts) writer.add(draft);
}

function idOf(record: JsonRecord): string | undefined {
  const id = ID_FIELDS.map((field) => record[field]).find((value) => value !== undefined);
  if (typeof id !== "string" && typeof id !== "number") return undefined;
  return record.trial === undefined || record.id !== undefined ? String(id) : `${id}-${String(record.trial)}`;
}

interface ListState {
  push(raw: unknown, index: number): MessageDraft[];
  end(): MessageDraft[];
}

function createListState(format: ListFormat): ListState {
  const names: ToolNames = new Map();
  const items = createItemAssembler();
  const readOne = (raw: JsonRecord, index: number): MessageDraft[] => {
    if (format === "anthropic") return from("anthropic", raw, readAnthropicMessage(raw, index, names));
    if (format === "ai-sdk") {
      const asUi = Array.isArray(raw.parts);
      return asUi
        ? from("ai-sdk-ui", raw, readUiMessage(raw, index))
        : from("ai-sdk", raw, [readModelMessage(raw, index)]);
    }
    return isResponsesItem(raw)
      ? items.push(raw, index, { provenance: { format: "openai-responses" } })
      : [...items.end(), ...from("openai-chat", raw, [readChatMessage(toStandardChat(raw), index, names)])];
  };
  return {
    push(raw, index) {
      if (!isRecord(raw)) throw new InvalidMessageError({ message: index }, "expected an object");
      return readOne(raw, index);
    },
    end: () => items.end(),
  };
}

function from(format: ForeignFormat, raw: JsonRecord, drafts: readonly MessageDraft[]): MessageDraft[] {
  const createdAt = readTime(raw.timestamp ?? raw.created_at ?? raw.createdAt);
  const id = stringField(raw, "id");
  return drafts.map((draft) => ({
    ...omitUndefined({ createdAt, provenance: omitUndefined({ format, id }) }),
    ...draft,
  }));
}

/** An item of OpenAI's Responses, which has a type of its own where a message of the chat has none. */
export function isResponsesItem(raw: JsonRecord): boolean {
  return typeof raw.type === "string" && !("tool_calls" in raw) && raw.role !== "tool";
}
