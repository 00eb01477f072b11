import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import type { DraftContext, Message, MessageDraft } from "../message.ts";
import type { PartDraft } from "../part.ts";
import { isRecord, type JsonRecord, omitUndefined } from "../read-json.ts";
import { readBlock, writeBlock } from "./anthropic-blocks.ts";
import {
  fieldsFor,
  foreignOf,
  formFor,
  lossOf,
  readMessages,
  type ToForeignOptions,
  type ToolNames,
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
  const { system, messages } = conversation;
  const names: ToolNames = new Map();
  const first = system === undefined ? [] : [{ role: "system", content: system }];
  const list = Array.isArray(messages) ? [...first, ...messages] : messages;
  return readMessages(FORMAT, list, { ...context, sessionId }, (raw, index) => readAnthropicMessage(raw, index, names));
}

export function readAnthropicMessage(raw: JsonRecord, index: number, names: ToolNames): MessageDraft[] {
  const { role, content } = raw;
  if (role !== "user" && role !== "assistant" && role !== "system") {
    throw new InvalidMessageError({ message: index }, `unknown role ${JSON.stringify(role)}`);
  }
  const foreign = (form?: string) => foreignOf(FORMAT, raw, ["role", "content"], form);
  if (typeof content === "string") {
    return [
      omitUndefined({
        role,
        parts: [{ type: "text" as const, text: content }],
        foreign: foreign("string"),
      }),
    ];
  }
  const parts = readBlocks(content, index, names);
  if (role !== "user") return [omitUndefined({ role, parts, foreign: foreign() })];
  return splitResults(parts).map((run, i) =>
    omitUndefined({
      role: run[0]?.type === "tool-result" ? ("tool" as const) : role,
      parts: run,
      foreign: i === 0 ? foreign() : ({ format: FORMAT, form: JOINED } as const),
    }),
  );
}

function readBlocks(content: unknown, index: number, names: ToolNames): PartDraft[] {
  if (!Array.isArray(content)) {
    throw new InvalidMessageError({ message: index }, "content is neither a text nor a list of blocks");
  }
  return content.map((block: unknown, part) => {
    if (isRecord(block) && typeof block.type === "string") return readBlock(block, names);
    throw new InvalidMessageError({ message: index, part }, "expected an object with a type");
  });
}

/** Runs of results and runs of everything else, in order. */
function splitResults(parts: readonly PartDraft[]): PartDraft[][] {
  const runs: PartDraft[][] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    const fits = last !== undefined && (last[0]?.type === "tool-result") === (part.type === "tool-result");
    if (fits) last.push(part);
    else runs.push([part]);
  }
  return runs.length === 0 ? [[]] : runs;
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
    if (message.role === "system") system.push({ role, message, blocks });
    else if (isJoined(message, role, written.at(-1))) written.at(-1)?.blocks.push(...blocks);
    else if (blocks.length > 0) written.push({ role, message, blocks });
  });
  return omitUndefined({
    system: system.length === 1 && system[0] ? writeContent(system[0]) : listOf(system),
    messages: written.map((one) => ({
      role: one.role,
      content: writeContent(one),
      ...fieldsFor(FORMAT, one.message),
    })),
  });
}

interface Written {
  readonly role: "user" | "assistant";
  readonly message: Message;
  readonly blocks: AnthropicBlock[];
}

function writeBlocks(message: Message, index: number, options: ToForeignOptions): AnthropicBlock[] {
  return message.parts.flatMap((part, partIndex) => {
    const block = writeBlock(part);
    if (block !== undefined) return [block as AnthropicBlock];
    if (part.type !== "step-start") options.onLoss?.(lossOf(index, partIndex, part.type, "Anthropic"));
    return [];
  });
}

function isJoined(message: Message, role: string, before: Written | undefined): boolean {
  if (before?.role !== role) return false;
  return formFor(FORMAT, message) === JOINED || message.provenance?.format !== FORMAT;
}

function writeContent({ message, blocks }: Written): string | AnthropicBlock[] {
  const [only, ...more] = blocks;
  const plain = only?.type === "text" && more.length === 0 && Object.keys(only).length === 2;
  return plain && formFor(FORMAT, message) === "string" ? (only.text as string) : blocks;
}

function listOf(system: readonly Written[]): AnthropicBlock[] | undefined {
  return system.length === 0 ? undefined : system.flatMap((one) => one.blocks);
}
