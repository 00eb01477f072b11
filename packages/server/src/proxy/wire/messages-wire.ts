import { InvalidMessageError } from "throughline";
import { arrayField, isRecord, type JsonRecord, numberField, stringField } from "throughline/internal/util";
import {
  type AnthropicBlock,
  type AnthropicMessage,
  convertAnthropicToRich,
  convertRichToAnthropic,
} from "throughline/messages";
import { ERROR_STARTS } from "../upstream/sniff-stream.ts";
import { messagesAnswerReader } from "./messages-answer.ts";
import { definitionsIn, joinTexts } from "./request-fields.ts";
import type { Wire } from "./wire.ts";

/** The Anthropic messages API. */
export const messagesWire: Wire = {
  family: "anthropic",
  path: "messages",
  form: "messages",
  read(body) {
    const messages = arrayField(body, "messages");
    if (messages === undefined) throw new InvalidMessageError({ message: 0 }, "expected a list of messages");
    return {
      modelId: stringField(body, "model") ?? "",
      system: systemText(body),
      messages: convertAnthropicToRich({ messages: messages as readonly AnthropicMessage[] }),
      definitions: definitionsIn(body, ["tools", "output_format"]),
      maxTokens: numberField(body, "max_tokens"),
    };
  },
  write(body, { messages, memories }) {
    return {
      ...(messages !== undefined && { messages: joinTurns(convertRichToAnthropic(messages).messages) }),
      ...(memories !== undefined && { system: withMemories(body, memories) }),
    };
  },
  reader: messagesAnswerReader,
  openings: { starts: ERROR_STARTS, isPreamble: () => false },
};

function systemText(body: JsonRecord): string {
  const blocks = (arrayField(body, "system") ?? []).filter(isRecord);
  return stringField(body, "system") ?? joinTexts(blocks.map((block) => stringField(block, "text") ?? ""));
}

/** Adds memories as a separate block, so that cache marks stay in place. */
function withMemories(body: JsonRecord, memories: string): unknown {
  const blocks = arrayField(body, "system");
  if (blocks !== undefined) return [...blocks, { type: "text", text: memories }];
  return joinTexts([systemText(body), memories]);
}

/** Joins adjacent messages of one role, which some servers reject after the messages in between were removed. */
function joinTurns(messages: readonly AnthropicMessage[]): readonly AnthropicMessage[] {
  const joined: AnthropicMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== message.role) joined.push(message);
    else joined[joined.length - 1] = { ...last, content: [...blocksOf(last), ...blocksOf(message)] };
  }
  return joined;
}

function blocksOf({ content }: AnthropicMessage): readonly AnthropicBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
