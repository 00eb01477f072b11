import { checkOptions } from "../../../errors/check-options.ts";
import { InvalidMessageError } from "../../../errors/input-errors.ts";
import { arrayField, isRecord, type JsonRecord, omitUndefined, stringField } from "../../../internal/json.ts";
import type { DraftDefaults, Message, MessageDraft, Role } from "../../message.ts";
import type { PartDraft } from "../../part.ts";
import {
  completeMessages,
  FROM_RULES,
  foreignOf,
  optionsFor,
  readPartList,
  type ToolNames,
  understood,
  unknownRole,
} from "../conversion.ts";
import { type PieceForm, readToolContent } from "../tool-content.ts";
import { type ReadArguments, readArguments, readContentPart, writeContentPart } from "./openai-content.ts";

export const FORMAT = "openai-responses";

/** This part was in the same item as the part before it. */
export const JOINED = "joined";

/** The reasoning item had no summary field. */
const NO_SUMMARY = "no-summary";

/** Content that messages and outputs share. */
export const PIECES: PieceForm = {
  format: FORMAT,
  read: (raw) => readContentPart(raw, FORMAT),
  write: (part) => writeContentPart(part, FORMAT, "tool"),
};

/** An item of OpenAI's Responses API. Unknown kinds are kept unchanged. */
export interface OpenAiResponsesItem {
  readonly type?: string;
  readonly [field: string]: unknown;
}

/**
 * Converts items of OpenAI's Responses API to Throughline messages. The items of one reply (reasoning, text, calls)
 * become one assistant message.
 *
 * @param items Input or output items.
 * @param sessionId Session id of the converted messages. Default: empty.
 * @param defaults Ids and times of messages that have none.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const rich = convertResponsesToRich([{ type: "message", role: "user", content: "Hello" }], "session-1");
 */
export function convertResponsesToRich(
  items: readonly OpenAiResponsesItem[],
  sessionId = "",
  defaults: Omit<DraftDefaults, "sessionId"> = {},
): Message[] {
  checkOptions("convertResponsesToRich", defaults, FROM_RULES);
  if (!Array.isArray(items)) throw new InvalidMessageError({ message: 0 }, "expected an array of items");
  const assembler = createItemAssembler();
  const drafts = Array.from<unknown>(items).flatMap((item, index) => assembler.push(item, index));
  return completeMessages(FORMAT, [...drafts, ...assembler.end()], { ...defaults, sessionId });
}

/** Source of an item; set on the message that the item begins. */
type ItemOrigin = Pick<MessageDraft, "createdAt" | "provenance" | "modelId">;

/** Assembles items into messages and returns each message when it is complete. */
export interface ItemAssembler {
  push(item: unknown, index: number, origin?: ItemOrigin): MessageDraft[];
  end(): MessageDraft[];
}

export function createItemAssembler(): ItemAssembler {
  const names: ToolNames = new Map();
  let open: { role: Role; parts: PartDraft[]; origin: ItemOrigin } | undefined;
  const end = (): MessageDraft[] => {
    const done = open === undefined ? [] : [{ ...open.origin, role: open.role, parts: open.parts }];
    open = undefined;
    return done;
  };
  return {
    end,
    push(item, index, origin = {}) {
      if (!isRecord(item)) throw new InvalidMessageError({ message: index }, "expected an object");
      const read = readItem(item, index, names);
      const joins = open?.role === read.role && (read.role === "assistant" || read.role === "tool");
      if (joins && open !== undefined) {
        for (const part of read.parts) open.parts.push(part);
        return [];
      }
      const done = end();
      open = { ...read, parts: [...read.parts], origin };
      return done;
    },
  };
}

interface ReadItem {
  readonly role: Role;
  readonly parts: readonly PartDraft[];
}

function readItem(item: JsonRecord, index: number, names: ToolNames): ReadItem {
  const type = item.type === undefined && "role" in item ? "message" : item.type;
  if (typeof type !== "string") throw new InvalidMessageError({ message: index }, "item without a type");
  if (type === "message") return readMessageItem(item, index);
  if (type === "reasoning") return { role: "assistant", parts: [readReasoning(item)] };
  if (type.endsWith("_output")) return { role: "tool", parts: [readOutputItem(item, type, names)] };
  if (type.endsWith("_call")) return { role: "assistant", parts: [readCall(item, type, index, names)] };
  return { role: "assistant", parts: [opaque(item)] };
}

function opaque(item: JsonRecord): PartDraft {
  return { type: "opaque", format: FORMAT, value: item };
}

const MESSAGE_ROLES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ["user", "user"],
  ["assistant", "assistant"],
  ["system", "system"],
  ["developer", "system"],
]);

/** The first part carries the fields of the whole item; the others are marked as joined. */
function readMessageItem(item: JsonRecord, index: number): ReadItem {
  const role = MESSAGE_ROLES.get(item.role);
  if (role === undefined) throw unknownRole(index, item.role);
  const { content, ...whole } = item;
  if (Array.isArray(content) && content.length === 0) return { role, parts: [opaque(item)] };
  if (typeof content === "string") {
    const fields = { item: whole, string: true };
    return { role, parts: [{ type: "text", text: content, foreign: { format: FORMAT, fields } }] };
  }
  const parts = readPartList(content, index, (piece, part) => {
    const read = readContentPart(piece, FORMAT);
    const fields = omitUndefined({ item: part === 0 ? whole : JOINED, piece: read.foreign?.fields });
    return { ...read, foreign: { format: FORMAT, ...read.foreign, fields } };
  });
  return { role, parts };
}

function readReasoning(item: JsonRecord): PartDraft {
  const itemId = stringField(item, "id");
  const encrypted = stringField(item, "encrypted_content");
  const known = understood({ type: true, id: itemId, encrypted_content: encrypted });
  return omitUndefined({
    type: "reasoning",
    text: reasoningText(item),
    providerOptions: optionsFor("openai", { itemId, reasoningEncryptedContent: encrypted }),
    foreign: foreignOf(FORMAT, item, known, item.summary === undefined ? NO_SUMMARY : undefined),
  });
}

/** A call with a `call_id` needs an output; a call without one was run by the provider. */
function readCall(item: JsonRecord, type: string, index: number, names: ToolNames): PartDraft {
  const callId = stringField(item, "call_id");
  const itemId = stringField(item, "id");
  const name = stringField(item, "name");
  const isFunction = type === "function_call";
  const field = isFunction ? "arguments" : "input";
  const text = stringField(item, field);
  const isOrdinary = isFunction || type === "custom_tool_call";
  if (isOrdinary && (callId === undefined || name === undefined || text === undefined)) return opaque(item);
  const toolName = name ?? type.slice(0, -"_call".length);
  if (callId !== undefined) names.set(callId, toolName);
  const { input, verbatim } = readInput(item, type, text);
  const ordinary = isOrdinary ? { name, [field]: text } : {};
  const known = understood({ type, call_id: callId, id: itemId, ...ordinary });
  return omitUndefined({
    type: "tool-call",
    toolCallId: callId ?? itemId ?? `${type}-${index}`,
    toolName,
    input,
    providerExecuted: callId === undefined ? true : undefined,
    providerOptions: optionsFor("openai", { itemId }),
    foreign: foreignOf(FORMAT, item, known, isFunction ? undefined : type, { arguments: verbatim }),
  });
}

/** Provider-run calls hold their input in different fields. */
function readInput(item: JsonRecord, type: string, text: string | undefined): ReadArguments {
  if (type === "function_call") return readArguments(text ?? "");
  const input = item.arguments ?? item.input ?? item.action ?? {};
  return { input: typeof item.arguments === "string" ? readArguments(item.arguments).input : input };
}

/** Reads the output of a call: text or a list. Outputs in other formats are kept as JSON. */
function readOutputItem(item: JsonRecord, type: string, names: ToolNames): PartDraft {
  const toolCallId = stringField(item, "call_id");
  const field = outputField(type);
  if (toolCallId === undefined || item[field] === undefined) return opaque(item);
  const { output, form } = readToolContent(item[field], PIECES);
  const known = ["type", "call_id", field];
  return omitUndefined({
    type: "tool-result",
    toolCallId,
    toolName: names.get(toolCallId) ?? "unknown",
    output,
    foreign: foreignOf(FORMAT, item, known, type === "function_call_output" ? undefined : type, { [field]: form }),
  });
}

/** Name of the field that holds the output of a call. */
export function outputField(type: string): "output" | "tools" {
  return type === "tool_search_output" ? "tools" : "output";
}

/** Readable text of a reasoning item. */
export function reasoningText(item: JsonRecord): string {
  return [...(arrayField(item, "summary") ?? []), ...(arrayField(item, "content") ?? [])]
    .filter(isRecord)
    .map((piece) => stringField(piece, "text") ?? "")
    .join("\n\n");
}
