import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import type { DraftContext, Message, MessageDraft, Role } from "../message.ts";
import type { Part, PartDraft, ToolCallPart } from "../part.ts";
import { arrayField, isRecord, type JsonRecord, omitUndefined, recordField, stringField } from "../read-json.ts";
import { toolOutputText } from "../tool-output.ts";
import {
  fieldsFor,
  foreignOf,
  formFor,
  lossOf,
  readMessages,
  type ToForeignOptions,
  type ToolNames,
} from "./conversion.ts";
import { readContentPart, writeContentPart } from "./openai-content.ts";
import { readArguments, writeArguments } from "./tool-arguments.ts";

const FORMAT = "openai-chat";
const ROLES: Readonly<Record<string, Role>> = {
  system: "system",
  developer: "system",
  user: "user",
  assistant: "assistant",
  tool: "tool",
};

/** A message of OpenAI's chat completions; fields that are newer than this code pass through. */
export interface OpenAiChatMessage {
  readonly role: "system" | "developer" | "user" | "assistant" | "tool";
  readonly content?: unknown;
  readonly [field: string]: unknown;
}

/** Reads messages of OpenAI's chat completions, and of the many services that speak its form. */
export function convertChatToRich(
  messages: readonly OpenAiChatMessage[],
  sessionId = "",
  context: Omit<DraftContext, "sessionId"> = {},
): Message[] {
  const names: ToolNames = new Map();
  return readMessages(FORMAT, messages, { ...context, sessionId }, (raw, index) => [
    readChatMessage(raw, index, names),
  ]);
}

export function readChatMessage(raw: JsonRecord, index: number, names: ToolNames): MessageDraft {
  const role = ROLES[String(raw.role)];
  if (role === undefined) throw new InvalidMessageError({ message: index }, `unknown role ${JSON.stringify(raw.role)}`);
  const understood = ["role", "content", "tool_calls", "tool_call_id", "reasoning_content"];
  const form = [
    raw.role === "developer" ? "developer" : undefined,
    typeof raw.content === "string" ? "string" : undefined,
    raw.content === null ? "null" : undefined,
  ]
    .filter(Boolean)
    .join(" ");
  const parts = role === "tool" ? readResult(raw, index, names) : readParts(raw, index, names);
  return omitUndefined({
    role,
    parts,
    foreign: foreignOf(FORMAT, raw, understood, form || undefined),
  });
}

function readResult(raw: JsonRecord, index: number, names: ToolNames): PartDraft[] {
  const toolCallId = stringField(raw, "tool_call_id");
  if (toolCallId === undefined)
    throw new InvalidMessageError({ message: index }, "a tool message without tool_call_id");
  const { content } = raw;
  const items = Array.isArray(content) && content.every(isItem) ? content : undefined;
  return [
    {
      type: "tool-result",
      toolCallId,
      toolName: names.get(toolCallId) ?? stringField(raw, "name") ?? "unknown",
      output: items
        ? { type: "content", value: items }
        : typeof content === "string"
          ? { type: "text", value: content }
          : { type: "json", value: content === undefined ? null : content },
    },
  ];
}

function isItem(value: unknown): value is { type: string } {
  return isRecord(value) && typeof value.type === "string";
}

function readParts(raw: JsonRecord, index: number, names: ToolNames): PartDraft[] {
  const reasoning = stringField(raw, "reasoning_content");
  return [
    ...(reasoning === undefined ? [] : [{ type: "reasoning" as const, text: reasoning }]),
    ...readContent(raw.content, index),
    ...(arrayField(raw, "tool_calls") ?? []).map((call, i) => readCall(call, { message: index, part: i }, names)),
  ];
}

function readContent(content: unknown, index: number): PartDraft[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) {
    throw new InvalidMessageError({ message: index }, "content is neither a text nor a list of parts");
  }
  return content.map((part: unknown, i) => {
    if (isItem(part)) return readContentPart(part, FORMAT);
    throw new InvalidMessageError({ message: index, part: i }, "expected an object with a type");
  });
}

function readCall(raw: unknown, place: { message: number; part: number }, names: ToolNames): PartDraft {
  if (!isRecord(raw)) throw new InvalidMessageError(place, "a tool call is not an object");
  const custom = raw.type === "custom";
  const body = recordField(raw, custom ? "custom" : "function");
  const toolCallId = stringField(raw, "id");
  const toolName = body && stringField(body, "name");
  const text = body && stringField(body, custom ? "input" : "arguments");
  if (body === undefined || toolCallId === undefined || toolName === undefined || text === undefined) {
    throw new InvalidMessageError(place, "a tool call without id, name or arguments");
  }
  names.set(toolCallId, toolName);
  const { input, verbatim } = custom ? { input: text, verbatim: undefined } : readArguments(text);
  const foreign = foreignOf(
    FORMAT,
    { ...raw, ...verbatim },
    ["id", "type", custom ? "custom" : "function"],
    custom ? "custom" : undefined,
  );
  return omitUndefined({
    type: "tool-call",
    toolCallId,
    toolName,
    input,
    foreign,
  });
}

/** Writes messages for OpenAI's chat completions: each tool result is a message of its own there. */
export function convertRichToChat(messages: readonly Message[], options: ToForeignOptions = {}): OpenAiChatMessage[] {
  return messages.flatMap((message, index) => {
    const lose = (part: number, type: string) => options.onLoss?.(lossOf(index, part, type, "OpenAI chat"));
    const results = message.parts.flatMap((part) =>
      part.type === "tool-result" && part.providerExecuted !== true ? [writeResult(message, part)] : [],
    );
    if (message.role === "tool") {
      message.parts.forEach((part, i) => {
        if (part.type !== "tool-result") lose(i, part.type);
      });
      return results;
    }
    const spoken = writeSpoken(message, lose);
    return spoken === undefined ? results : [spoken, ...results];
  });
}

function writeSpoken(message: Message, lose: (part: number, type: string) => void): OpenAiChatMessage | undefined {
  const content: JsonRecord[] = [];
  const calls: JsonRecord[] = [];
  const reasoning: string[] = [];
  message.parts.forEach((part, i) => {
    const written = writeContentPart(part, FORMAT, message.role);
    if (part.type === "tool-call" && part.providerExecuted !== true) calls.push(writeCall(part));
    else if (part.type === "reasoning") reasoning.push(part.text);
    else if (written !== undefined) content.push(written);
    else if (part.type !== "step-start" && part.type !== "tool-result") lose(i, part.type);
  });
  const forms = formFor(FORMAT, message)?.split(" ") ?? [];
  if (content.length + calls.length + reasoning.length === 0 && forms.length === 0) return undefined;
  return omitUndefined({
    role: forms.includes("developer") ? "developer" : message.role,
    content: writeContent(content, forms, message.provenance?.format === FORMAT, calls.length > 0),
    reasoning_content: reasoning.length === 0 ? undefined : reasoning.join("\n"),
    tool_calls: calls.length === 0 ? undefined : calls,
    ...fieldsFor(FORMAT, message),
  });
}

function writeContent(content: JsonRecord[], forms: string[], ours: boolean, hasCalls: boolean): unknown {
  const [only, ...more] = content;
  const plain = only?.type === "text" && more.length === 0 && Object.keys(only).length === 2;
  if (plain && (forms.includes("string") || !ours)) return only.text;
  if (content.length > 0) return content;
  if (forms.includes("null")) return null;
  return ours || hasCalls ? undefined : "";
}

function writeCall(part: ToolCallPart): JsonRecord {
  const { arguments: _, ...fields } = fieldsFor(FORMAT, part);
  if (formFor(FORMAT, part) === "custom") {
    return {
      id: part.toolCallId,
      type: "custom",
      custom: { name: part.toolName, input: part.input },
      ...fields,
    };
  }
  const text = writeArguments(part.input, fieldsFor(FORMAT, part));
  return {
    id: part.toolCallId,
    type: "function",
    function: { name: part.toolName, arguments: text },
    ...fields,
  };
}

function writeResult(message: Message, part: Extract<Part, { type: "tool-result" }>): OpenAiChatMessage {
  const { output } = part;
  const textOnly = output.type === "content" && output.value.every((item) => item.type === "text");
  return {
    role: "tool",
    tool_call_id: part.toolCallId,
    content: textOnly ? output.value : toolOutputText(output),
    ...fieldsFor(FORMAT, message),
  };
}
