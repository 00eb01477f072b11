import { InvalidMessageError, type ReportedUsage } from "throughline";
import {
  arrayField,
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  recordField,
  stringField,
  tryParseJson,
} from "throughline/internal/util";
import {
  type AnthropicBlock,
  type AnthropicMessage,
  convertAnthropicToRich,
  convertRichToAnthropic,
} from "throughline/messages";
import { ERROR_STARTS } from "../upstream/event-stream.ts";
import { type Answer, type AnswerReader, definitionsIn, joinTexts, type Wire } from "./wire.ts";

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

/** An unfinished block, and the partial input of its call. */
interface OpenBlock {
  block: JsonRecord;
  input: string;
}

/** The block field that a delta is appended to, by delta type. */
const GROWING: Readonly<Record<string, string>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  signature_delta: "signature",
  compaction_delta: "content",
};

export function messagesAnswerReader(): AnswerReader {
  return new MessagesAnswerReader();
}

class MessagesAnswerReader implements AnswerReader {
  readonly #open: OpenBlock[] = [];
  #content: readonly unknown[] | undefined;
  #usage: JsonRecord = {};
  isFinished = false;
  failure: unknown;

  event(data: string): void {
    const event = tryParseJson(data)?.value;
    if (!isRecord(event)) return;
    if (event.type === "error") this.failure ??= event.error ?? event;
    if (event.type === "message_start") this.#report(recordField(event, "message") ?? {});
    if (event.type === "message_delta") this.#report(event);
    if (event.type === "message_stop") this.isFinished = true;
    const index = numberField(event, "index");
    if (index !== undefined) this.#piece(index, event);
  }

  body(json: unknown): void {
    this.isFinished = true;
    if (!isRecord(json)) return;
    if (json.type === "error") this.failure = json.error ?? json;
    this.#content = arrayField(json, "content");
    this.#report(json);
  }

  answer(): Answer | undefined {
    if (!this.isFinished || this.failure !== undefined) return undefined;
    const content = this.#content ?? this.#open.flatMap((one) => [closed(one)]);
    const usage = readMessagesUsage(this.#usage);
    if (content.length === 0) return { messages: [], usage };
    const message = { role: "assistant", content: content as readonly AnthropicBlock[] } as const;
    return { messages: convertAnthropicToRich({ messages: [message] }), usage };
  }

  #report(from: JsonRecord): void {
    this.#usage = { ...this.#usage, ...recordField(from, "usage") };
  }

  #piece(index: number, event: JsonRecord): void {
    const begun = recordField(event, "content_block");
    if (event.type === "content_block_start" && begun !== undefined) this.#open[index] = { block: begun, input: "" };
    const open = this.#open[index];
    const delta = recordField(event, "delta");
    if (event.type !== "content_block_delta" || open === undefined || delta === undefined) return;
    if (delta.type === "input_json_delta") open.input += stringField(delta, "partial_json") ?? "";
    if (delta.type === "citations_delta") {
      open.block = { ...open.block, citations: [...(arrayField(open.block, "citations") ?? []), delta.citation] };
    }
    const field = GROWING[String(delta.type)];
    if (field === undefined) return;
    const name = field in delta ? field : "text";
    open.block = { ...open.block, [field]: `${stringField(open.block, field) ?? ""}${stringField(delta, name) ?? ""}` };
  }
}

function closed({ block, input }: OpenBlock): JsonRecord {
  if (input === "") return block;
  const parsed = tryParseJson(input);
  return { ...block, input: parsed === undefined ? { input } : parsed.value };
}

/** Anthropic does not include cached tokens in the input tokens. */
function readMessagesUsage(usage: JsonRecord): ReportedUsage | undefined {
  const cacheReadTokens = numberField(usage, "cache_read_input_tokens");
  const cacheWriteTokens = numberField(usage, "cache_creation_input_tokens");
  const inputTokens = (numberField(usage, "input_tokens") ?? 0) + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  return inputTokens > 0 ? omitUndefined({ inputTokens, cacheReadTokens, cacheWriteTokens }) : undefined;
}
