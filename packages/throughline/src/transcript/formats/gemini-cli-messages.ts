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
import type { MessageDraft, TokenUsage } from "../../message/message.ts";
import type { PartDraft } from "../../message/part.ts";
import type { ToolOutput } from "../../message/tool-output.ts";
import { CallQueue } from "./call-queue.ts";
import { openingTag, splitWrapped } from "./split-wrapped.ts";

const FORMAT = "gemini";

/** Blocks that Gemini CLI inserts into user messages. */
const WRAPPER = openingTag("session_context", "hook_context", "state_snapshot");

/** Files that the user named with `@` are quoted after this line, at the end of the message. */
const REFERENCED = "--- Content from referenced files ---";

/**
 * Converts the records of one session to messages, in order. A call may be in `toolCalls`, a `functionCall` in the
 * content, or both; a result may be in `toolCalls` or a `functionResponse` of one or several user records. Each call
 * and result is emitted once.
 */
export class GeminiMessages {
  /** Call id → tool name. */
  readonly #called = new Map<string, string>();
  readonly #answered = new Set<string>();
  /** Calls without an id and without a result, by tool name. */
  readonly #unnamed = new CallQueue();
  #count = 0;

  read(record: JsonRecord, line: number): MessageDraft[] {
    this.#count += 1;
    const id = stringField(record, "id");
    const origin = omitUndefined({
      id,
      createdAt: parseTimestamp(record.timestamp),
      provenance: omitUndefined({ format: FORMAT, id, line } as const),
    });
    if (record.type === "user") return this.#user(record, origin);
    return record.type === "gemini" ? this.#reply(record, origin) : [];
  }

  #user(record: JsonRecord, origin: Omit<MessageDraft, "role" | "parts">): MessageDraft[] {
    const content = contentOf(record);
    const responses = responsesIn(content);
    if (responses.length === 0) {
      const isSummary = isStateSnapshot(record) || undefined;
      return [omitUndefined({ ...origin, role: "user" as const, isSummary, parts: readSaid(content) })];
    }
    const results = responses.flatMap((response) => this.#answer(response));
    const parts = readSaid(content.filter((part) => !isRecord(part) || !isRecord(part.functionResponse)));
    const { id, ...rest } = origin;
    return [
      ...(results.length === 0 ? [] : [{ ...origin, role: "tool" as const, parts: results }]),
      ...(parts.length === 0 ? [] : [omitUndefined({ ...rest, id: id && `${id}/said`, role: "user" as const, parts })]),
    ];
  }

  #reply(record: JsonRecord, origin: Omit<MessageDraft, "role" | "parts">): MessageDraft[] {
    const listed = arrayField(record, "toolCalls") ?? [];
    const content = contentOf(record);
    const ids = once(() => idsByCall(listed));
    const said = content.flatMap((part) => this.#replyPart(part, ids));
    const thoughts = content.some((part) => isRecord(part) && part.thought === true) ? [] : readThoughts(record);
    const calls = listed.flatMap((call) => this.#listedCall(call));
    const reply: MessageDraft = omitUndefined({
      ...origin,
      role: "assistant",
      modelId: stringField(record, "model"),
      usage: readUsage(record),
      parts: [...thoughts, ...said, ...calls],
    });
    const results = listed.flatMap((call) => this.#listedResult(call));
    if (results.length === 0) return [reply];
    const { id, ...rest } = origin;
    return [reply, omitUndefined({ ...rest, id: id && `${id}/results`, role: "tool" as const, parts: results })];
  }

  #replyPart(part: unknown, listed: () => CallQueue): PartDraft[] {
    const call = isRecord(part) ? recordField(part, "functionCall") : undefined;
    const toolName = call && stringField(call, "name");
    if (call === undefined || toolName === undefined) return readPart(part);
    const id = stringField(call, "id") ?? listed().take(keyOf(call)) ?? this.#newId(toolName);
    return this.#call(id, toolName, call.args);
  }

  #newId(toolName: string): string {
    const id = `${toolName}-${this.#count}-${this.#called.size}`;
    this.#unnamed.add(toolName, id);
    return id;
  }

  #call(toolCallId: string, toolName: string, input: unknown): PartDraft[] {
    if (this.#called.has(toolCallId)) return [];
    this.#called.set(toolCallId, toolName);
    return [{ type: "tool-call", toolCallId, toolName, input: input ?? {} }];
  }

  #listedCall(raw: unknown): PartDraft[] {
    const id = isRecord(raw) ? stringField(raw, "id") : undefined;
    const name = isRecord(raw) ? stringField(raw, "name") : undefined;
    if (!isRecord(raw) || id === undefined || name === undefined) {
      return [{ type: "opaque", format: FORMAT, value: raw }];
    }
    return this.#call(id, name, raw.args);
  }

  #listedResult(raw: unknown): PartDraft[] {
    const id = isRecord(raw) ? stringField(raw, "id") : undefined;
    if (!isRecord(raw) || id === undefined || raw.result === undefined || raw.result === null) return [];
    return this.#result(id, stringField(raw, "name"), readOutput(raw.result, id));
  }

  #answer(response: JsonRecord): PartDraft[] {
    const name = stringField(response, "name");
    const id = stringField(response, "id") ?? this.#unnamed.take(name ?? "");
    return this.#result(id ?? `${name ?? "call"}-${this.#count}`, name, outputOf(response) ?? asJson(response));
  }

  #result(toolCallId: string, name: string | undefined, output: ToolOutput): PartDraft[] {
    if (this.#answered.has(toolCallId)) return [];
    this.#answered.add(toolCallId);
    const toolName = this.#called.get(toolCallId) ?? name ?? "unknown";
    return [{ type: "tool-result", toolCallId, toolName, output }];
  }
}

/** A call without an id in the content has the id of the `toolCalls` entry with the same tool and arguments. */
function idsByCall(listed: readonly unknown[]): CallQueue {
  const ids = new CallQueue();
  for (const call of listed) {
    const id = isRecord(call) ? stringField(call, "id") : undefined;
    if (isRecord(call) && id !== undefined) ids.add(keyOf(call), id);
  }
  return ids;
}

function keyOf({ name, args }: JsonRecord): string {
  return JSON.stringify([name, args ?? {}]);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** True for the summary that a compaction leaves. */
export function isStateSnapshot(record: JsonRecord): boolean {
  const [first] = contentOf(record);
  const text = typeof first === "string" ? first : isRecord(first) ? stringField(first, "text") : undefined;
  return record.type === "user" && text?.trimStart().startsWith("<state_snapshot>") === true;
}

/** Content of a record without id and time: equal for a record and its copy after a compaction. */
export function signatureOf(record: JsonRecord): string {
  const content = contentOf(record);
  const texts = content.map((part) => (isRecord(part) ? stringField(part, "text") : part)).filter(Boolean);
  const named = content.flatMap((part) =>
    isRecord(part) ? [part.functionCall, part.functionResponse].filter(isRecord) : [],
  );
  const listed = (arrayField(record, "toolCalls") ?? []).filter(isRecord);
  const ids = [...named, ...listed].map(({ id }) => id).filter((id) => typeof id === "string");
  return JSON.stringify([record.type, texts, [...new Set(ids)]]);
}

/** Working directory, which the first record of a session describes. */
export function folderIn(record: JsonRecord): string | undefined {
  for (const part of contentOf(record)) {
    const text = (isRecord(part) ? stringField(part, "text") : undefined) ?? "";
    if (!text.startsWith("<session_context>")) continue;
    const folder = /\*\*Workspace Directories:\*\*\n {1,4}- ([^\n]{1,4096})/.exec(text)?.[1];
    if (folder !== undefined) return folder;
  }
  return undefined;
}

/** Content is text, one part, or an array of parts. */
function contentOf({ content }: JsonRecord): readonly unknown[] {
  if (content === "" || content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

function responsesIn(content: readonly unknown[]): JsonRecord[] {
  return content.flatMap((part): readonly JsonRecord[] => {
    const response = isRecord(part) ? recordField(part, "functionResponse") : undefined;
    return response === undefined ? [] : [response];
  });
}

/** Parts of a user record. Quoted files are marked as synthetic. */
function readSaid(content: readonly unknown[]): PartDraft[] {
  let isReferenced = false;
  return content.flatMap(readPart).flatMap((part) => {
    if (part.type !== "text") return [part];
    isReferenced ||= part.text.trimStart().startsWith(REFERENCED);
    return isReferenced ? [{ ...part, synthetic: true }] : splitWrapped(part, WRAPPER);
  });
}

/** Parts other than text and files are kept unchanged. */
function readPart(part: unknown): PartDraft[] {
  if (typeof part === "string") return [{ type: "text", text: part }];
  const text = isRecord(part) ? stringField(part, "text") : undefined;
  if (isRecord(part) && text !== undefined) {
    return [part.thought === true ? { type: "reasoning", text } : { type: "text", text }];
  }
  const inline = isRecord(part) ? recordField(part, "inlineData") : undefined;
  const data = inline && stringField(inline, "data");
  const mediaType = inline && stringField(inline, "mimeType");
  return data !== undefined && mediaType !== undefined
    ? [{ type: "file", mediaType, data: { type: "data", data } }]
    : [{ type: "opaque", format: FORMAT, value: part }];
}

function readThoughts(record: JsonRecord): PartDraft[] {
  return (arrayField(record, "thoughts") ?? []).map((thought): PartDraft => {
    if (!isRecord(thought)) return { type: "opaque", format: FORMAT, value: thought };
    const texts = [stringField(thought, "subject"), stringField(thought, "description")];
    return { type: "reasoning", text: texts.filter((text) => text !== undefined).join(": ") };
  });
}

/** Usually one `functionResponse`; of several, the one with the call's id. Everything else is kept as JSON. */
function readOutput(result: unknown, toolCallId: string): ToolOutput {
  const list: readonly unknown[] = Array.isArray(result) ? result : [result];
  const responses = responsesIn(list);
  const own = responses.find(({ id }) => id === toolCallId) ?? (list.length === 1 ? responses[0] : undefined);
  if (typeof result === "string") return { type: "text", value: result };
  return (own && outputOf(own)) ?? { type: "json", value: result };
}

function outputOf({ response }: JsonRecord): ToolOutput | undefined {
  if (!isRecord(response)) return undefined;
  const output = stringField(response, "output");
  if (output !== undefined) return { type: "text", value: output };
  const error = stringField(response, "error");
  return error === undefined ? undefined : { type: "error-text", value: error };
}

function asJson({ response }: JsonRecord): ToolOutput {
  return { type: "json", value: response ?? null };
}

/** Input tokens include cached ones. */
function readUsage(record: JsonRecord): TokenUsage | undefined {
  const tokens = recordField(record, "tokens");
  if (tokens === undefined) return undefined;
  const read = numberField(tokens, "cached") ?? 0;
  const input = (numberField(tokens, "input") ?? 0) - read;
  const output = (numberField(tokens, "output") ?? 0) + (numberField(tokens, "thoughts") ?? 0);
  return { input, output, cache: { read, write: 0 } };
}
