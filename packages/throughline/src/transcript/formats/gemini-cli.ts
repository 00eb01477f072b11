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
import { skipBroken } from "../skip-broken.ts";
import type { Emit, RecordPlace, RecordReader } from "../transcript.ts";

const FORMAT = "gemini";

/** Types of messages that were shown to the user, not said. */
const SHOWN: readonly unknown[] = ["info", "warning", "error"];

/** What is kept of a session beside its messages. */
const FACTS = ["sessionId", "startTime", "summary"];

interface Found {
  readonly record: JsonRecord;
  readonly line: number;
}

/**
 * Gemini CLI: a document, or lines in which a message of the same id replaces, `$set` patches the session and
 * `$rewindTo` takes back. What a later line may change cannot be told before the end, so messages come out there.
 */
export class GeminiReader implements RecordReader {
  readonly #emit: Emit;
  readonly #facts: Record<string, unknown> = {};
  readonly #messages = new Map<string, Found>();
  /** The ids of the messages, so that a rewind can take them back from the end. */
  #order: string[] = [];

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  push(record: unknown, { line, path }: RecordPlace): void {
    const [field] = path;
    if (path.length === 1 && typeof field === "string") {
      this.#learn({ [field]: record });
      return;
    }
    if (!isRecord(record)) throw new InvalidMessageError({ message: this.#messages.size }, "expected an object");
    const rewind = stringField(record, "$rewindTo");
    const patch = recordField(record, "$set");
    if (field === "messages") this.#message(record, line);
    else if (rewind !== undefined) this.#rewindTo(rewind);
    else if (patch !== undefined) this.#session(patch, line);
    else if ("sessionId" in record) this.#session(record, line);
    else this.#message(record, line);
  }

  end(): void {
    const id = stringField(this.#facts, "sessionId");
    if (id === undefined && this.#messages.size === 0) return;
    const startedAt = readTime(this.#facts.startTime);
    const title = stringField(this.#facts, "summary");
    const writer = new SessionWriter(this.#emit, id ?? "gemini-cli", omitUndefined({ title, startedAt }));
    for (const { record, line } of this.#messages.values()) {
      if (SHOWN.includes(record.type)) this.#emit({ type: "passed-over", kind: `message/${String(record.type)}` });
      skipBroken(this.#emit, line, () => {
        for (const draft of readMessage(record, line)) writer.add(draft);
      });
    }
  }

  #message(record: unknown, line: number): void {
    const type = isRecord(record) ? stringField(record, "type") : undefined;
    if (!isRecord(record) || type === undefined) {
      throw new InvalidMessageError({ message: this.#messages.size }, "a message without a type");
    }
    if (type !== "user" && type !== "gemini" && !SHOWN.includes(type)) {
      const text = `a message of type ${JSON.stringify(type)}`;
      this.#emit({ type: "skipped", skipped: { line, kind: "unknown", text } });
      return;
    }
    const id = stringField(record, "id") ?? `line-${line}-${this.#messages.size}`;
    if (!this.#messages.has(id)) this.#order.push(id);
    this.#messages.set(id, { record, line });
  }

  #session(fields: JsonRecord, line: number): void {
    const { messages } = fields;
    this.#learn(fields);
    if (!Array.isArray(messages)) return;
    this.#messages.clear();
    this.#order = [];
    for (const message of messages) skipBroken(this.#emit, line, () => this.#message(message, line));
  }

  #learn(fields: JsonRecord): void {
    for (const name of FACTS) if (name in fields) this.#facts[name] = fields[name];
  }

  #rewindTo(id: string): void {
    this.#emit({ type: "passed-over", kind: "rewind" });
    while (this.#messages.has(id)) this.#messages.delete(this.#order.pop() ?? id);
  }
}

function readMessage(record: JsonRecord, line: number): MessageDraft[] {
  const id = stringField(record, "id");
  const origin = omitUndefined({
    id,
    createdAt: readTime(record.timestamp),
    provenance: omitUndefined({ format: FORMAT, id, line } as const),
  });
  if (record.type === "user") return [{ ...origin, role: "user", parts: readContent(record.content) }];
  if (record.type !== "gemini") return [];
  const calls = arrayField(record, "toolCalls") ?? [];
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
  return (arrayField(record, "thoughts") ?? []).map((thought): PartDraft => {
    if (!isRecord(thought)) return { type: "opaque", format: FORMAT, value: thought };
    const texts = [stringField(thought, "subject"), stringField(thought, "description")];
    return { type: "reasoning", text: texts.filter((text) => text !== undefined).join(": ") };
  });
}

function readCall(raw: unknown): PartDraft[] {
  if (!isRecord(raw)) return [{ type: "opaque", format: FORMAT, value: raw }];
  const toolCallId = stringField(raw, "id");
  const toolName = stringField(raw, "name");
  if (toolCallId === undefined || toolName === undefined) return [{ type: "opaque", format: FORMAT, value: raw }];
  return [{ type: "tool-call", toolCallId, toolName, input: raw.args ?? {} }];
}

function readResult(raw: unknown): PartDraft[] {
  if (!isRecord(raw)) return [];
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
