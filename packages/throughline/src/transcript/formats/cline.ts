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
import { readBlock } from "../../message/convert/anthropic-blocks.ts";
import type { ToolNames } from "../../message/convert/conversion.ts";
import type { MessageDraft, TokenUsage } from "../../message/message.ts";
import type { PartDraft } from "../../message/part.ts";
import { type ToolOutput, toolOutputText } from "../../message/tool-output.ts";
import { SessionWriter } from "../session-writer.ts";
import type { Emit, RecordPlace, RecordReader } from "../transcript.ts";
import { CallQueue } from "./call-queue.ts";
import { folderInCline, injected, readAnswer, readClineText, splitXmlCalls } from "./cline-text.ts";

/** Paths to read if the file is one object. The history of a task is an array of messages. */
export const CLINE_PATHS: readonly string[] = ["$.sessionId", "$.messages.*", "$.system_prompt"];

/** Call that an output belongs to. */
interface OpenCall {
  readonly id: string;
  readonly toolName: string;
}

/** Classified parts of one user message. */
interface Sorted {
  readonly results: PartDraft[];
  readonly said: PartDraft[];
  /** Output whose text continues in the next block. */
  open: { readonly call: OpenCall; readonly texts: string[] } | undefined;
}

/**
 * Cline: messages in Anthropic's format. Tool outputs and Cline's own text appear as text in user messages; user text
 * is wrapped in a tag. Calls are blocks or, in older versions, part of the text.
 */
export class ClineReader implements RecordReader {
  readonly #emit: Emit;
  readonly #names: ToolNames = new Map();
  #id = "cline";
  #writer: SessionWriter | undefined;
  #hasFolder = false;
  /** Calls of the last reply without a result. */
  #waiting = new CallQueue();
  readonly #answered = new Set<string>();
  /** True if this transcript wraps user text in tags. Text without a tag is then not the user's. */
  #wraps = false;
  #count = 0;
  #outputs = 0;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  push(record: unknown, { line, path }: RecordPlace): void {
    const [field] = path;
    if (field === "sessionId" && typeof record === "string") this.#id = record;
    else if (field === "system_prompt") this.#learnFolder(record);
    else if (path.length !== 1 || typeof field !== "string") this.#message(record, line);
  }

  end(): void {
    // Every message was emitted with its record.
  }

  #session(): SessionWriter {
    this.#writer ??= new SessionWriter(this.#emit, this.#id);
    return this.#writer;
  }

  #learnFolder(text: unknown): void {
    const cwd = this.#hasFolder || typeof text !== "string" ? undefined : folderInCline(text);
    if (cwd === undefined) return;
    this.#hasFolder = true;
    this.#session().meta({ cwd });
  }

  #message(record: unknown, line: number): void {
    const content = isRecord(record) ? blocksOf(record) : undefined;
    if (!isRecord(record) || content === undefined || (record.role !== "user" && record.role !== "assistant")) {
      throw new InvalidMessageError({ message: line - 1 }, "expected a role and content");
    }
    this.#count += 1;
    if (record.role === "assistant") this.#reply(record, content);
    else this.#user(record, content);
  }

  #reply(record: JsonRecord, content: readonly JsonRecord[]): void {
    const hasBlocks = content.some(({ type }) => type === "tool_use");
    const makeId = (toolName: string) => `${toolName}-${this.#count}-${this.#names.size}`;
    const parts = content.flatMap((block) => {
      const text = block.type === "text" && !hasBlocks ? stringField(block, "text") : undefined;
      return text === undefined ? [readBlock(block, this.#names)] : splitXmlCalls(text, makeId);
    });
    this.#waiting = new CallQueue();
    for (const part of parts) {
      if (part.type !== "tool-call") continue;
      this.#names.set(part.toolCallId, part.toolName);
      this.#waiting.add(part.toolName, part.toolCallId);
    }
    const model = recordField(record, "modelInfo");
    this.#session().add(
      omitUndefined({
        ...originOf(record),
        role: "assistant" as const,
        modelId: model && (stringField(model, "id") ?? stringField(model, "modelId")),
        usage: readUsage(record),
        parts,
      }),
    );
  }

  #user(record: JsonRecord, content: readonly JsonRecord[]): void {
    const sorted: Sorted = { results: [], said: [], open: undefined };
    for (const block of content) {
      const text = block.type === "text" ? stringField(block, "text") : undefined;
      if (text !== undefined) this.#text(text, sorted);
      else if (block.type === "tool_result") this.#resultBlock(block, sorted);
      else sorted.said.push(readBlock(block, this.#names));
    }
    this.#close(sorted);
    const { id, ...origin } = originOf(record);
    const { results, said } = sorted;
    const writer = this.#session();
    if (results.length > 0) writer.add(omitUndefined({ ...origin, id, role: "tool" as const, parts: results }));
    const saidId = results.length > 0 ? id && `${id}/said` : id;
    if (said.length > 0) writer.add(omitUndefined({ ...origin, id: saidId, role: "user" as const, parts: said }));
  }

  #text(text: string, sorted: Sorted): void {
    if (text.startsWith("<environment_details>")) this.#learnFolder(text);
    const read = readClineText(text);
    // The first block after a header is always tool output.
    const isBody = sorted.open?.texts.length === 0 && !text.startsWith("<environment_details>");
    if (sorted.open !== undefined && (isBody || read.type === "plain")) {
      sorted.open.texts.push(text);
      return;
    }
    this.#close(sorted);
    if (read.type === "result") {
      sorted.open = { call: this.#callOf(read.toolName), texts: read.output.trim() === "" ? [] : [read.output] };
    } else if (read.type === "said") {
      this.#wraps ||= read.parts.some((part) => part.type === "text" && part.synthetic !== true);
      sorted.said.push(...read.parts);
    } else sorted.said.push(this.#wraps ? injected(read.text) : { type: "text", text: read.text });
  }

  /** Returns the first pending call of a tool. An output without a call gets a new id. */
  #callOf(toolName: string): OpenCall {
    let id = this.#waiting.take(toolName);
    while (id !== undefined && this.#answered.has(id)) id = this.#waiting.take(toolName);
    this.#outputs += 1;
    return { id: id ?? `${toolName}-output-${this.#outputs}`, toolName };
  }

  #close(sorted: Sorted): void {
    const { open } = sorted;
    sorted.open = undefined;
    if (open === undefined) return;
    const value = open.texts.join("\n");
    sorted.said.push(...readAnswer(open.call.toolName, value));
    const failed = value.startsWith("The tool execution failed");
    const output: ToolOutput = { type: failed ? "error-text" : "text", value };
    sorted.results.push({ type: "tool-result", toolCallId: open.call.id, toolName: open.call.toolName, output });
  }

  #resultBlock(block: JsonRecord, sorted: Sorted): void {
    this.#close(sorted);
    const toolCallId = stringField(block, "tool_use_id");
    if (toolCallId !== undefined) this.#answered.add(toolCallId);
    const part = readBlock(block, this.#names);
    if (part.type !== "tool-result") {
      sorted.said.push(part);
      return;
    }
    const output = readQueries(block) ?? part.output;
    sorted.results.push({ ...part, output });
    const printed = readClineText(toolOutputText(output));
    const answer = printed.type === "result" ? printed.output : toolOutputText(output);
    sorted.said.push(...readAnswer(part.toolName, answer));
  }
}

function blocksOf(record: JsonRecord): readonly JsonRecord[] | undefined {
  const text = stringField(record, "content");
  return text === undefined ? arrayField(record, "content")?.filter(isRecord) : [{ type: "text", text }];
}

function originOf(record: JsonRecord): Omit<MessageDraft, "role" | "parts"> {
  const id = stringField(record, "id");
  return omitUndefined({
    id,
    createdAt: parseTimestamp(record.ts),
    provenance: omitUndefined({ format: "anthropic", id } as const),
  });
}

/** Current versions list one output per command or file: `{query, result, success}`. */
function readQueries(block: JsonRecord): ToolOutput | undefined {
  const queries = (arrayField(block, "content") ?? []).filter(isRecord);
  const results = queries.map((query) => stringField(query, "result") ?? stringField(query, "error"));
  if (results.length === 0 || results.includes(undefined)) return undefined;
  const failed = queries.every(({ success }) => success === false);
  return { type: failed ? "error-text" : "text", value: results.join("\n") };
}

function readUsage(record: JsonRecord): TokenUsage | undefined {
  const metrics = recordField(record, "metrics");
  if (metrics === undefined) return undefined;
  const tokens = recordField(metrics, "tokens") ?? {};
  const read = (name: string) => numberField(metrics, `${name}Tokens`) ?? 0;
  return {
    input: numberField(tokens, "prompt") ?? read("input"),
    output: numberField(tokens, "completion") ?? read("output"),
    cache: { read: numberField(tokens, "cached") ?? read("cacheRead"), write: read("cacheWrite") },
  };
}
