import { checkOptions } from "../../../errors/check-options.ts";
import { isRecord, type JsonRecord, omitUndefined, otherFields } from "../../../internal/json.ts";
import type { Message } from "../../message.ts";
import type { Part, ReasoningPart, ToolCallPart, ToolResultPart } from "../../part.ts";
import { toolOutputText } from "../../tool-output.ts";
import {
  asSent,
  fieldsFor,
  formFor,
  isAcceptedFrom,
  isFrom,
  lossReporter,
  providerOption,
  TO_RULES,
  type ToForeignOptions,
  withFields,
} from "../conversion.ts";
import { RAW, writeToolContent } from "../tool-content.ts";
import { writeArguments, writeContentPart } from "./openai-content.ts";
import { FORMAT, JOINED, type OpenAiResponsesItem, outputField, PIECES, reasoningText } from "./openai-responses.ts";

/**
 * Converts Throughline messages to items of OpenAI's Responses API.
 *
 * @param messages Throughline messages.
 * @param options Callback for parts that cannot be expressed.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const body = JSON.stringify({ model: "gpt-5", input: convertRichToResponses(messages) });
 */
export function convertRichToResponses(
  messages: readonly Message[],
  options: ToForeignOptions = {},
): OpenAiResponsesItem[] {
  checkOptions("convertRichToResponses", options, TO_RULES);
  return messages.flatMap((message, index) => {
    const own = isFrom(FORMAT, message);
    const lose = lossReporter(options, index, "OpenAI responses");
    const items: (OpenAiResponsesItem | MessageItem)[] = [];
    message.parts.forEach((part, partIndex) => {
      const sent = asSent(part);
      const isAccepted = own || isAcceptedFrom(message, sent);
      const isWritten = isAccepted && addPart(items, sent, message, (kind) => lose(partIndex, kind));
      if (!isWritten) lose(partIndex, part.type);
    });
    return items.map((item) => (item instanceof MessageItem ? item.close() : item));
  });
}

/** Adds the part to the open item or as a new item; false if neither is possible. */
function addPart(
  items: (OpenAiResponsesItem | MessageItem)[],
  part: Part,
  message: Message,
  lose: (kind: string) => void,
): boolean {
  const last = items.at(-1);
  const piece = writePiece(part, message);
  if (piece !== undefined) {
    if (last instanceof MessageItem && last.takes(piece)) last.add(piece);
    else items.push(new MessageItem(message.role, piece));
    return true;
  }
  const item = writeItem(part, isFrom(FORMAT, message), lose);
  if (item === undefined) return false;
  const joined = part.type === "reasoning" ? joinReasoning(last, item, part) : undefined;
  if (joined === undefined) items.push(item);
  else items[items.length - 1] = joined;
  return true;
}

/** A content part with the fields of its original item. */
interface Piece {
  readonly content: JsonRecord;
  /** Fields of the item, `joined` for parts after the first, `undefined` if the part had no item. */
  readonly item: unknown;
  readonly isString: boolean;
}

function writePiece(part: Part, message: Message): Piece | undefined {
  const { item, piece, string } = fieldsFor(FORMAT, part);
  if (part.type === "opaque" && item === undefined) return undefined;
  const form = formFor(FORMAT, part);
  const foreign = omitUndefined({ format: FORMAT, form, fields: isRecord(piece) ? piece : undefined } as const);
  const content = writeContentPart({ ...part, foreign }, FORMAT, message.role);
  return content && { content, item, isString: string === true };
}

/** A `message` item that is still open. */
class MessageItem {
  readonly #role: string;
  readonly #first: Piece;
  readonly #content: JsonRecord[];

  constructor(role: string, first: Piece) {
    this.#role = role;
    this.#first = first;
    this.#content = [first.content];
  }

  takes({ item }: Piece): boolean {
    return item === JOINED || (item === undefined && !isRecord(this.#first.item));
  }

  add({ content }: Piece): void {
    this.#content.push(content);
  }

  close(): OpenAiResponsesItem {
    const { item, isString, content } = this.#first;
    const isAlone = isString && this.#content.length === 1;
    const known = isRecord(item) ? item : { role: this.#role };
    return { ...known, content: isAlone ? content.text : this.#content };
  }
}

function writeItem(part: Part, own: boolean, lose: (kind: string) => void): OpenAiResponsesItem | undefined {
  switch (part.type) {
    case "reasoning":
      return writeReasoning(part);
    case "tool-call":
      return writeCall(part);
    case "tool-result":
      return part.providerExecuted === true ? undefined : writeResult(part, own, lose);
    case "opaque":
      return part.format === FORMAT && isRecord(part.value) ? part.value : undefined;
    default:
      return undefined;
  }
}

/** OpenAI refuses reasoning without encrypted content or an id. */
function writeReasoning(part: ReasoningPart): OpenAiResponsesItem | undefined {
  const own = part.foreign?.format === FORMAT;
  const id = providerOption(part, "openai", "itemId");
  const encrypted_content = providerOption(part, "openai", "reasoningEncryptedContent");
  if (id === undefined && encrypted_content === undefined && !own) return undefined;
  const fields = fieldsFor(FORMAT, part);
  const known = { type: "reasoning", id, encrypted_content: encrypted_content ?? undefined };
  if (own && reasoningText(fields) === part.text) return withFields(known, fields);
  const summary = part.text === "" ? [] : [{ type: "summary_text", text: part.text }];
  return withFields({ ...known, summary }, otherFields(fields, ["content"]) ?? {});
}

/** The AI SDK splits a reasoning item with several summaries into several parts; this joins them again. */
function joinReasoning(
  last: OpenAiResponsesItem | MessageItem | undefined,
  item: OpenAiResponsesItem,
  part: ReasoningPart,
): OpenAiResponsesItem | undefined {
  if (last === undefined || last instanceof MessageItem || part.foreign?.format === FORMAT) return undefined;
  if (last.type !== "reasoning" || last.id === undefined || last.id !== item.id) return undefined;
  const summary = [last.summary, item.summary].flat();
  return { ...last, ...item, summary };
}

function writeCall(part: ToolCallPart): OpenAiResponsesItem | undefined {
  const form = formFor(FORMAT, part);
  const provided = part.providerExecuted === true;
  if (provided && form === undefined) return undefined;
  const fields = fieldsFor(FORMAT, part);
  const known = {
    type: form ?? "function_call",
    id: providerOption(part, "openai", "itemId"),
    call_id: provided ? undefined : part.toolCallId,
  };
  if (form === "custom_tool_call") return withFields({ ...known, name: part.toolName, input: part.input }, fields);
  if (form !== undefined) return withFields(known, fields);
  const text = writeArguments(part.input, fields.arguments);
  return withFields({ ...known, name: part.toolName, arguments: text }, fields);
}

function writeResult(part: ToolResultPart, own: boolean, lose: (kind: string) => void): OpenAiResponsesItem {
  const fields = fieldsFor(FORMAT, part);
  const type = formFor(FORMAT, part) ?? "function_call_output";
  const field = outputField(type);
  const output = writeOutput(part, own, fields[field] === RAW, lose);
  return withFields({ type, call_id: part.toolCallId, [field]: output }, fields);
}

function writeOutput({ output }: ToolResultPart, own: boolean, isRaw: boolean, lose: (kind: string) => void): unknown {
  if (output.type === "content") return writeToolContent(output.value, PIECES, own, lose);
  return isRaw && output.type === "json" ? output.value : toolOutputText(output);
}
