import { checkOptions } from "../../errors/check-options.ts";
import { InvalidMessageError } from "../../errors/input-errors.ts";
import { isRecord, type JsonRecord, omitUndefined } from "../../internal/json.ts";
import type { DraftDefaults, Message, MessageDraft } from "../message.ts";
import { readBlock, writeBlock } from "./anthropic-blocks.ts";
import {
  asSent,
  completeMessages,
  FROM_RULES,
  fieldsFor,
  foreignOf,
  formFor,
  isAcceptedFrom,
  isFrom,
  isPlainText,
  lossReporter,
  providerOption,
  readDrafts,
  readPartList,
  splitResults,
  TO_RULES,
  type ToForeignOptions,
  type ToolNames,
  unknownRole,
  withFields,
} from "./conversion.ts";

const FORMAT = "anthropic";
/** This piece was in the same message as the piece before it. */
const JOINED = "joined";

/** A content block. Unknown kinds are kept unchanged. */
export interface AnthropicBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface AnthropicMessage {
  readonly role: "user" | "assistant";
  readonly content: string | readonly AnthropicBlock[];
}

/** System prompt and messages of an Anthropic request. */
export interface AnthropicConversation {
  readonly system?: string | readonly AnthropicBlock[];
  readonly messages: readonly AnthropicMessage[];
}

/**
 * Converts an Anthropic conversation to Throughline messages. A user message with tool results becomes a tool message
 * and, if it has more content, a user message. Converting back joins them again.
 *
 * @param conversation System prompt and messages of an Anthropic request.
 * @param sessionId Session id of the converted messages. Default: empty.
 * @param defaults Ids and times of messages that have none.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const rich = convertAnthropicToRich({ messages: [{ role: "user", content: "Hello" }] }, "session-1");
 */
export function convertAnthropicToRich(
  conversation: AnthropicConversation,
  sessionId = "",
  defaults: Omit<DraftDefaults, "sessionId"> = {},
): Message[] {
  checkOptions("convertAnthropicToRich", defaults, FROM_RULES);
  if (!isRecord(conversation)) throw new InvalidMessageError({ message: 0 }, "expected an object with messages");
  const { system, messages } = conversation;
  const names: ToolNames = new Map();
  const first = system === undefined ? [] : readAnthropicMessage({ role: "system", content: system }, 0, names);
  const rest = readDrafts(messages, (raw, index) => readAnthropicMessage(raw, index, names));
  return completeMessages(FORMAT, [...first, ...rest], { ...defaults, sessionId });
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
 * Converts Throughline messages to an Anthropic conversation. Consecutive messages of the same role are merged, unless
 * they came from Anthropic as separate messages.
 *
 * @param messages Throughline messages.
 * @param options Callback for parts that cannot be expressed.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const { system, messages: turns } = convertRichToAnthropic(messages);
 */
export function convertRichToAnthropic(
  messages: readonly Message[],
  options: ToForeignOptions = {},
): AnthropicConversation {
  checkOptions("convertRichToAnthropic", options, TO_RULES);
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
    const sent = asSent(part);
    const isAccepted = own || isAcceptedFrom(message, sent);
    const block = isAccepted ? writeBlock(sent, own, (kind) => lose(partIndex, kind)) : undefined;
    if (block === undefined) lose(partIndex, part.type);
    return (block as AnthropicBlock | undefined) ?? [];
  });
  return markLast(blocks, providerOption(message, FORMAT, "cacheControl"));
}

/** The AI SDK can mark a whole message. Anthropic marks its last block, which must not be thinking. */
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
