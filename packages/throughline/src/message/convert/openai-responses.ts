import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import { completeMessage, type DraftContext, type Message, type MessageDraft, type Role } from "../message.ts";
import type { PartDraft, ProviderOptions } from "../part.ts";
import { arrayField, isRecord, type JsonRecord, omitUndefined, otherFields, stringField } from "../read-json.ts";
import type { ToolOutput } from "../tool-output.ts";
import { foreignOf, type ToolNames } from "./conversion.ts";
import { readContentPart } from "./openai-content.ts";
import { readArguments } from "./tool-arguments.ts";

const FORMAT = "openai-responses";

/** An item of OpenAI's Responses; kinds that are newer than this code pass through. */
export interface OpenAiResponsesItem {
  readonly type?: string;
  readonly [field: string]: unknown;
}

/** Reads a list of items. The items of one reply (reasoning, text, calls) become one assistant message. */
export function convertResponsesToRich(
  items: readonly OpenAiResponsesItem[],
  sessionId = "",
  context: Omit<DraftContext, "sessionId"> = {},
): Message[] {
  if (!Array.isArray(items)) throw new InvalidMessageError({ message: 0 }, "expected a list of items");
  const assembler = createItemAssembler();
  const drafts = items.flatMap((item: unknown, index) => assembler.push(item, index));
  return [...drafts, ...assembler.end()].map((draft, index) =>
    completeMessage({ provenance: { format: FORMAT }, ...draft }, index, {
      ...context,
      sessionId,
    }),
  );
}

/** Where an item was found: goes to the message that the item begins. */
export type ItemOrigin = Pick<MessageDraft, "createdAt" | "provenance" | "modelId">;

/** Joins items to messages as they arrive; what is complete comes out. */
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
        open.parts.push(...read.parts);
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
  if (typeof type !== "string") throw new InvalidMessageError({ message: index }, "an item without a type");
  if (type === "message") return readMessageItem(item, index);
  if (type === "reasoning") return { role: "assistant", parts: [readReasoning(item)] };
  if (type.endsWith("_call_output")) return { role: "tool", parts: [readOutputItem(item, type, names)] };
  if (type.endsWith("_call")) return { role: "assistant", parts: [readCall(item, type, names, index)] };
  return { role: "assistant", parts: [opaque(item)] };
}

function opaque(item: JsonRecord): PartDraft {
  return { type: "opaque", format: FORMAT, value: item };
}

/** The AI SDK's own way to keep the id of an item. */
function openai(options: Record<string, unknown>): ProviderOptions | undefined {
  const defined = omitUndefined(options);
  return Object.keys(defined).length === 0 ? undefined : { openai: defined };
}

const MESSAGE_ROLES: Readonly<Record<string, Role>> = {
  user: "user",
  assistant: "assistant",
  system: "system",
  developer: "system",
};

/** The first piece carries what is known of the whole item; the others say that they belong to it. */
function readMessageItem(item: JsonRecord, index: number): ReadItem {
  const role = MESSAGE_ROLES[String(item.role)];
  if (role === undefined)
    throw new InvalidMessageError({ message: index }, `unknown role ${JSON.stringify(item.role)}`);
  const { content } = item;
  const pieces = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(pieces)) {
    throw new InvalidMessageError({ message: index }, "content is neither a text nor a list of parts");
  }
  const whole = omitUndefined({
    ...item,
    content: undefined,
    string: typeof content === "string" || undefined,
  });
  const parts = pieces.map((piece: unknown, part): PartDraft => {
    if (!isRecord(piece)) throw new InvalidMessageError({ message: index, part }, "expected an object");
    const read = readContentPart(piece, FORMAT);
    const fields = {
      ...read.foreign?.fields,
      item: part === 0 ? whole : "joined",
    };
    return { ...read, foreign: { format: FORMAT, ...read.foreign, fields } };
  });
  return { role, parts };
}

function readReasoning(item: JsonRecord): PartDraft {
  const summary = arrayField(item, "summary") ?? [];
  const texts = [...summary, ...(arrayField(item, "content") ?? [])]
    .filter(isRecord)
    .map((piece) => stringField(piece, "text") ?? "");
  return omitUndefined({
    type: "reasoning",
    text: texts.join("\n\n"),
    providerOptions: openai({
      itemId: stringField(item, "id"),
      reasoningEncryptedContent: item.encrypted_content === null ? undefined : item.encrypted_content,
    }),
    foreign: foreignOf(FORMAT, item, [
      "type",
      "id",
      ...(typeof item.encrypted_content === "string" ? ["encrypted_content"] : []),
    ]),
  });
}

/** A call with a `call_id` waits for its output; one without was run by the provider. */
function readCall(item: JsonRecord, type: string, names: ToolNames, index: number): PartDraft {
  const callId = stringField(item, "call_id");
  const itemId = stringField(item, "id");
  const toolName = stringField(item, "name") ?? type.slice(0, -"_call".length);
  if (callId !== undefined) names.set(callId, toolName);
  const ordinary = type === "function_call";
  const written = stringField(item, "arguments");
  const read = written === undefined ? { input: item.input ?? item.action ?? {} } : readArguments(written);
  const verbatim = ordinary && "verbatim" in read ? { verbatim: written } : {};
  const understood = [
    "type",
    "call_id",
    ...(itemId === undefined ? [] : ["id"]),
    ...(ordinary ? ["name", "arguments"] : []),
  ];
  return omitUndefined({
    type: "tool-call",
    toolCallId: callId ?? itemId ?? `${type}-${index}`,
    toolName,
    input: read.input,
    providerExecuted: callId === undefined ? true : undefined,
    providerOptions: openai({ itemId }),
    foreign: foreignOf(FORMAT, { ...item, ...verbatim }, understood, ordinary ? undefined : type),
  });
}

function readOutputItem(item: JsonRecord, type: string, names: ToolNames): PartDraft {
  const toolCallId = stringField(item, "call_id");
  if (toolCallId === undefined) return opaque(item);
  return omitUndefined({
    type: "tool-result",
    toolCallId,
    toolName: names.get(toolCallId) ?? "unknown",
    output: readOutput(item.output),
    foreign: foreignOf(FORMAT, item, ["type", "call_id", "output"], type === "function_call_output" ? undefined : type),
  });
}

function readOutput(output: unknown): ToolOutput {
  if (typeof output === "string") return { type: "text", value: output };
  const pieces = Array.isArray(output) && output.every((piece) => isRecord(piece) && typeof piece.type === "string");
  if (!pieces) return { type: "json", value: output === undefined ? null : output };
  return {
    type: "content",
    value: output.map((piece: JsonRecord) =>
      piece.type === "input_text" && otherFields(piece, ["type", "text"]) === undefined
        ? { type: "text", text: piece.text }
        : (piece as { type: string }),
    ),
  };
}
