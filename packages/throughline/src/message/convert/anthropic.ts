import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import { isRecord, type JsonRecord, omitUndefined } from "../../internal/json.ts";
import type { DraftContext, Message, MessageDraft } from "../message.ts";
import { readBlock, writeBlock } from "./anthropic-blocks.ts";
import {
  completeMessages,
  fieldsFor,
  foreignOf,
  formFor,
  isFrom,
  isPlainText,
  isTakenFrom,
  lossReporter,
  providerOption,
  readDrafts,
  readPartList,
  splitResults,
  spoken,
  type ToForeignOptions,
  type ToolNames,
  unknownRole,
  withFields,
} from "./conversion.ts";

const FORMAT = "anthropic";
/** This piece stood in one message with the piece before it. */
const JOINED = "joined";

/** A content block; kinds that are newer than this code pass through. */
export interface AnthropicBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface AnthropicMessage {
  readonly role: "user" | "assistant";
  readonly content: string | readonly AnthropicBlock[];
}

/** The part of a request to Anthropic that holds the conversation. */
export interface AnthropicConversation {
  readonly system?: string | readonly AnthropicBlock[];
  readonly messages: readonly AnthropicMessage[];
}

/**
 * Reads a conversation in Anthropic's form. A user message that holds tool results becomes a tool message and, where
 * it says more, a user message; on the way back they are one again.
 */
export function convertAnthropicToRich(
  conversation: AnthropicConversation,
  sessionId = "",
  context: Omit<DraftContext, "sessionId"> = {},
): Message[] {
  if (!isRecord(conversation)) throw new InvalidMessageError({ message: 0 }, "expected an object with messages");
  const { system, messages } = conversation;
  const names: ToolNames = new Map();
  const first = system === undefined ? [] : readAnthropicMessage({ role: "system", content: system }, 0, names);
  const rest = readDrafts(messages, (raw, index) => readAnthropicMessage(raw, index, names));
  return completeMessages(FORMAT, [...first, ...rest], { ...context, sessionId });
}

export function readAnthropicMessage(raw: JsonRecord, index: number, names: ToolNames): MessageDraft[] {
  const { role, content } = raw;
  if (role !== "user" && role !== "assistant" && role !== "system") throw unknownRole(index, role);
  const foreign = (form?: string) => foreignOf(FORMAT, raw, ["role", "content"], form);
  if (typeof content === "string") {
    return [omitUndefined({ role, parts: [{ type: "text" as const, text: content }], foreign: foreign("string") })];
  }
  const parts = readPartList(content, index, (block) => readBlock(block, names));
  if (role !== "user") return [omitUndefined({ role, parts, foreign: foreign() })];
  return splitResults(parts).map((run, i) =>
    omitUndefined({
      role: run[0]?.type === "tool-result" ? ("tool" as const) : role,
      parts: run,
      foreign: i === 0 ? foreign() : ({ format: FORMAT, form: JOINED } as const),
    }),
  );
}

/**
 * Writes a conversation for Anthropic. Messages of one side that follow each other become one, except where they came
 * from Anthropic's form apart.
 */
export function convertRichToAnthropic(
  messages: readonly Message[],
  options: ToForeignOptions = {},
): AnthropicConversation {
  const system: Written[] = [];
  const written: Written[] = [];
  messages.forEach((message, index) => {
    const blocks = writeBlocks(message, index, options);
    const role = message.role === "assistant" ? "assistant" : "user";
    const before = written.at(-1);
    const wasEmpty = isFrom(FORMAT, message) && message.parts.length === 0;
    if (blocks.length === 0 && !wasEmpty) return;
    if (message.role === "system") system.push({ role, message, blocks });
    else if (before?.role === role && isJoined(message)) for (const block of blocks) before.blocks.push(block);
    else written.push({ role, message, blocks });
  });
  return omitUndefined({
    system: writeSystem(system),
    messages: written.map((one) => writeMessage(one)),
  });
}

interface Written {
  readonly role: "user" | "assistant";
  readonly message: Message;
  readonly blocks: AnthropicBlock[];
}

function writeBlocks(message: Message, index: number, options: ToForeignOptions): AnthropicBlock[] {
  const own = isFrom(FORMAT, message);
  const lose = lossReporter(options, index, "Anthropic");
  const blocks = message.parts.flatMap((part, partIndex) => {
    const said = spoken(part);
    const isTaken = own || isTakenFrom(message, said);
    const block = isTaken ? writeBlock(said, own, (kind) => lose(partIndex, kind)) : undefined;
    if (block === undefined) lose(partIndex, part.type);
    return (block as AnthropicBlock | undefined) ?? [];
  });
  return markLast(blocks, providerOption(message, FORMAT, "cacheControl"));
}

/** The AI SDK can mark a whole message; Anthropic marks its last block, which must not be thinking. */
function markLast(blocks: AnthropicBlock[], mark: unknown): AnthropicBlock[] {
  const last = blocks.at(-1);
  if (mark === undefined || last === undefined || last.type.endsWith("thinking")) return blocks;
  return [...blocks.slice(0, -1), { cache_control: mark, ...last }];
}

function isJoined(message: Message): boolean {
  return formFor(FORMAT, message) === JOINED || !isFrom(FORMAT, message);
}

function writeMessage(one: Written): AnthropicMessage {
  const known = { role: one.role, content: writeContent(one) };
  return withFields(known, fieldsFor(FORMAT, one.message)) as unknown as AnthropicMessage;
}

function writeContent({ message, blocks }: Written): string | AnthropicBlock[] {
  const [only, ...more] = blocks;
  return formFor(FORMAT, message) === "string" && more.length === 0 && isPlainText(only) ? only.text : blocks;
}

function writeSystem(system: readonly Written[]): string | AnthropicBlock[] | undefined {
  const [only, ...more] = system;
  if (only === undefined) return undefined;
  return more.length === 0 ? writeContent(only) : system.flatMap((one) => one.blocks);
}
