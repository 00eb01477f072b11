import { arrayField, isRecord, type JsonRecord, omitUndefined, stringField } from "../../internal/json.ts";
import { readModelMessage } from "../../message/convert/ai-sdk.ts";
import { readAnthropicMessage } from "../../message/convert/anthropic.ts";
import type { ToolNames } from "../../message/convert/conversion.ts";
import { readChatMessage } from "../../message/convert/openai-chat.ts";
import { createItemAssembler } from "../../message/convert/openai-responses.ts";
import { readUiMessage } from "../../message/convert/ui-message.ts";
import type { MessageDraft } from "../../message/message.ts";
import type { ForeignFormat } from "../../message/part.ts";
import { readTime } from "../read-time.ts";
import type { TranscriptFormat } from "../transcript.ts";
import { isResponsesItem } from "./responses-item.ts";

export type ListFormat = Extract<TranscriptFormat, "openai" | "anthropic" | "ai-sdk">;

/** Reads the messages of one list and keeps the state that later messages need. */
export interface MessageReader {
  push(raw: JsonRecord, index: number): MessageDraft[];
  end(): MessageDraft[];
}

export function createMessageReader(format: ListFormat): MessageReader {
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
  const createdAt = readTime(raw.timestamp ?? raw.created_at ?? raw.createdAt);
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
