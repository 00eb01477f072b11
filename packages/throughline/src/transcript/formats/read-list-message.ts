import { type JsonRecord, omitUndefined, stringField } from "../../internal/json.ts";
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
import { toStandardChat } from "./flat-chat.ts";
import { isResponsesItem } from "./responses-item.ts";

export type ListFormat = Extract<TranscriptFormat, "openai" | "anthropic" | "ai-sdk">;

/** Reads the messages of one list; remembers what later ones need to know of earlier ones. */
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

/** The messages of a model and those of a user interface, which have `parts`. */
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

/** Messages of the chat and items of Responses, also mixed. */
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
