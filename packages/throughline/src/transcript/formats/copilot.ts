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
import type { MessageDraft, TokenUsage } from "../../message/message.ts";
import type { PartDraft } from "../../message/part.ts";
import type { ToolOutput } from "../../message/tool-output.ts";
import { SessionWriter } from "../session-writer.ts";
import type { Emit, RecordPlace, RecordReader, SessionMeta } from "../transcript.ts";

const FORMAT = "copilot";

/** Event types without messages, unless they are read below. */
const IGNORED =
  /^(?:abort|(?:assistant|auto_mode_switch|capabilities|command|commands|elicitation|exit_plan_mode|external_tool|factory|hook|mcp|mcp_app|model|pending_messages|permission|sampling|session|session_limits_exhausted|skill|subagent|system|tool|tool_search|ui|user|user_input)\..{1,80})$/;

/** Copilot CLI sessions: one event per line. Events of a sub-agent carry its name and form a separate session. */
export class CopilotReader implements RecordReader {
  readonly #emit: Emit;
  readonly #sessions = new Map<string, SessionWriter>();
  /** Call id → tool name. */
  readonly #tools = new Map<string, string>();
  #main = "copilot";
  #usage: { readonly apiCallId: string; readonly usage: TokenUsage } | undefined;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  push(record: unknown, { line }: RecordPlace): void {
    const data = isRecord(record) ? recordField(record, "data") : undefined;
    if (!isRecord(record) || data === undefined) {
      throw new InvalidMessageError({ message: line - 1 }, "event without data");
    }
    switch (record.type) {
      case "session.start":
        this.#begin(data);
        break;
      case "user.message":
        this.#session(record).add({ ...originOf(record, line), role: "user", parts: [readPrompt(data)] });
        break;
      case "system.notification":
        this.#session(record).add({ ...originOf(record, line), role: "user", parts: [textOf(data, true)] });
        break;
      case "assistant.message":
        this.#reply(record, data, line);
        break;
      case "tool.execution_complete":
        this.#result(record, data, line);
        break;
      case "session.compaction_complete":
        this.#compaction(record, data, line);
        break;
      default:
        this.#aside(record, data, line);
    }
  }

  end(): void {
    // Every message was emitted with its line.
  }

  #begin(data: JsonRecord): void {
    this.#main = stringField(data, "sessionId") ?? this.#main;
    if (this.#sessions.has("")) this.#emit({ type: "ignored", kind: "session.start" });
    else this.#sessions.set("", new SessionWriter(this.#emit, this.#main, metaOf(data)));
  }

  #session(record: JsonRecord): SessionWriter {
    const agent = stringField(record, "agentId") ?? "";
    const found = this.#sessions.get(agent);
    if (found !== undefined) return found;
    const startedAt = parseTimestamp(record.timestamp);
    const writer =
      agent === ""
        ? new SessionWriter(this.#emit, this.#main)
        : new SessionWriter(
            this.#emit,
            `${this.#main}/agent-${agent}`,
            omitUndefined({ startedAt, parentId: this.#main }),
          );
    this.#sessions.set(agent, writer);
    return writer;
  }

  #reply(record: JsonRecord, data: JsonRecord, line: number): void {
    const reasoning = stringField(data, "reasoningText");
    const text = stringField(data, "content");
    const calls = (arrayField(data, "toolRequests") ?? []).map((raw) => this.#call(raw));
    const known = this.#usage?.apiCallId === data.apiCallId ? this.#usage?.usage : undefined;
    this.#usage = undefined;
    this.#session(record).add(
      omitUndefined({
        ...originOf(record, line),
        role: "assistant" as const,
        modelId: stringField(data, "model"),
        usage: known,
        parts: [
          ...(reasoning ? [{ type: "reasoning" as const, text: reasoning }] : []),
          ...(text ? [{ type: "text" as const, text }] : []),
          ...calls,
        ],
      }),
    );
  }

  #call(raw: unknown): PartDraft {
    const toolCallId = isRecord(raw) ? stringField(raw, "toolCallId") : undefined;
    const toolName = isRecord(raw) ? stringField(raw, "name") : undefined;
    if (!isRecord(raw) || toolCallId === undefined || toolName === undefined) {
      return { type: "opaque", format: FORMAT, value: raw };
    }
    this.#tools.set(toolCallId, toolName);
    return { type: "tool-call", toolCallId, toolName, input: raw.arguments ?? {} };
  }

  /** A tool that the user ran has no call by the model, so its output becomes a separate message. */
  #result(record: JsonRecord, data: JsonRecord, line: number): void {
    const toolCallId = stringField(data, "toolCallId");
    if (toolCallId === undefined) {
      throw new InvalidMessageError({ message: line - 1 }, "result without a call id");
    }
    const toolName = this.#tools.get(toolCallId) ?? stringField(data, "toolName");
    if (toolName === undefined && data.isUserRequested === true) {
      this.#emit({ type: "ignored", kind: "tool.execution_complete/user" });
      return;
    }
    const part: PartDraft = {
      type: "tool-result",
      toolCallId,
      toolName: toolName ?? "unknown",
      output: readOutput(data),
    };
    this.#session(record).add({ ...originOf(record, line), role: "tool", parts: [part] });
  }

  #compaction(record: JsonRecord, data: JsonRecord, line: number): void {
    if (data.success !== true) {
      this.#emit({ type: "ignored", kind: "session.compaction_complete/failed" });
      return;
    }
    this.#session(record).compaction(
      omitUndefined({
        trigger: stringField(data, "trigger"),
        createdAt: parseTimestamp(record.timestamp),
        tokensBefore: numberField(data, "preCompactionTokens"),
        tokensAfter: numberField(data, "postCompactionTokens"),
        summary: stringField(data, "summaryContent"),
        line,
      }),
    );
  }

  #aside(record: JsonRecord, data: JsonRecord, line: number): void {
    const type = stringField(record, "type") ?? "";
    const title = type === "session.title_changed" ? stringField(data, "title") : undefined;
    if (title !== undefined) this.#session(record).meta({ title });
    const usage = type === "session.usage_record" ? recordField(data, "usage") : data;
    const apiCallId = usage && stringField(usage, "apiCallId");
    if (usage !== undefined && apiCallId !== undefined && "inputTokens" in usage) {
      this.#usage = { apiCallId, usage: readUsage(usage) };
    }
    if (IGNORED.test(type)) this.#emit({ type: "ignored", kind: type });
    else {
      const text = `a record of type ${JSON.stringify(record.type)}`;
      this.#emit({ type: "skipped", skipped: { line, kind: "unknown", text } });
    }
  }
}

function originOf(record: JsonRecord, line: number): Omit<MessageDraft, "role" | "parts"> {
  const id = stringField(record, "id");
  return omitUndefined({
    id,
    createdAt: parseTimestamp(record.timestamp),
    provenance: omitUndefined({ format: FORMAT, id, line } as const),
  });
}

function metaOf(data: JsonRecord): SessionMeta {
  const context = recordField(data, "context") ?? {};
  return omitUndefined({
    cwd: stringField(context, "cwd"),
    branch: stringField(context, "branch"),
    version: stringField(data, "copilotVersion"),
    startedAt: parseTimestamp(data.startTime),
  });
}

/**
 * A message with a source was written by a skill or another agent. `transformedContent` is the text sent to the model.
 */
function readPrompt(data: JsonRecord): PartDraft {
  const source = stringField(data, "source") ?? "user";
  return textOf(data, data.isAutopilotContinuation === true || source !== "user");
}

function textOf(data: JsonRecord, synthetic: boolean): PartDraft {
  const text = stringField(data, "content") ?? "";
  return synthetic ? { type: "text", text, synthetic } : { type: "text", text };
}

function readOutput(data: JsonRecord): ToolOutput {
  const error = recordField(data, "error");
  if (error !== undefined || data.success === false) {
    const reason = (error && stringField(error, "message")) ?? "The tool failed.";
    return error?.code === "denied" ? { type: "execution-denied", reason } : { type: "error-text", value: reason };
  }
  const result = recordField(data, "result");
  return { type: "text", value: (result && stringField(result, "content")) ?? "" };
}

/** Input tokens include cached ones. */
function readUsage(usage: JsonRecord): TokenUsage {
  const read = numberField(usage, "cacheReadTokens") ?? 0;
  return {
    input: Math.max(0, (numberField(usage, "inputTokens") ?? 0) - read),
    output: numberField(usage, "outputTokens") ?? 0,
    cache: { read, write: numberField(usage, "cacheWriteTokens") ?? 0 },
  };
}
