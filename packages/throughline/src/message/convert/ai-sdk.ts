import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import type { DraftContext, Message, MessageDraft, Role } from "../message.ts";
import type { PartDraft } from "../part.ts";
import { isRecord, type JsonRecord, omitUndefined } from "../read-json.ts";
import { readPart, writePart } from "./ai-sdk-parts.ts";
import type { ModelMessage } from "./ai-sdk-types.ts";
import {
  fieldsFor,
  foreignOf,
  formFor,
  lossOf,
  readMessages,
  readProviderOptions,
  type ToForeignOptions,
} from "./conversion.ts";

const FORMAT = "ai-sdk";
const ROLES: readonly string[] = ["system", "user", "assistant", "tool"] satisfies Role[];

/** Anything with a role and a content: the `ModelMessage` of AI SDK 6 and 7 and of those before them. */
export interface ForeignModelMessage {
  readonly role: string;
  readonly content: unknown;
}

/**
 * Reads messages of the AI SDK. Parts of unknown kinds are carried as they are; the `args` and `result` of versions
 * before 5 are understood and written in the current form on the way back.
 *
 * @example
 * const messages = convertModelToRich([{ role: "user", content: "Hello" }], "session-1");
 */
export function convertModelToRich(
  messages: readonly ForeignModelMessage[],
  sessionId = "",
  context: Omit<DraftContext, "sessionId"> = {},
): Message[] {
  return readMessages(FORMAT, messages, { ...context, sessionId }, (raw, index) => [readModelMessage(raw, index)]);
}

export function readModelMessage(raw: JsonRecord, index: number): MessageDraft {
  const { role, content } = raw;
  if (typeof role !== "string" || !ROLES.includes(role)) {
    throw new InvalidMessageError({ message: index }, `unknown role ${JSON.stringify(role)}`);
  }
  return omitUndefined({
    role: role as Role,
    parts: readContent(content, index),
    providerOptions: readProviderOptions(raw.providerOptions),
    foreign: foreignOf(
      FORMAT,
      raw,
      ["role", "content", "providerOptions"],
      typeof content === "string" ? "string" : undefined,
    ),
  });
}

function readContent(content: unknown, index: number): PartDraft[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) {
    throw new InvalidMessageError({ message: index }, "content is neither a text nor a list of parts");
  }
  return content.map((part: unknown, partIndex) => {
    if (!isRecord(part) || typeof part.type !== "string") {
      throw new InvalidMessageError({ message: index, part: partIndex }, "expected an object with a type");
    }
    return readPart(part);
  });
}

/**
 * Writes messages for the AI SDK, versions 6 and 7. A summary becomes the assistant's text; parts
 * that only another provider has are reported to `onLoss`.
 *
 * @example
 * await generateText({ model, messages: convertRichToModel(messages) });
 */
export function convertRichToModel(messages: readonly Message[], options: ToForeignOptions = {}): ModelMessage[] {
  return messages.flatMap((message, index) => {
    const content = message.parts.flatMap((part, partIndex) => {
      const written = writePart(part);
      if (written !== undefined) return [written];
      if (part.type !== "step-start") options.onLoss?.(lossOf(index, partIndex, part.type, "the AI SDK"));
      return [];
    });
    if (content.length === 0) return [];
    return [
      omitUndefined({
        role: message.role,
        content: contentForm(message, content),
        providerOptions: message.providerOptions,
        ...fieldsFor(FORMAT, message),
      }) as unknown as ModelMessage,
    ];
  });
}

function contentForm(message: Message, content: readonly JsonRecord[]): unknown {
  const texts = content.map((part) => (part.type === "text" ? (part.text as string) : ""));
  if (message.role === "system") return texts.join("\n");
  const only = content.length === 1 && content[0]?.type === "text" && content[0].providerOptions === undefined;
  return formFor(FORMAT, message) === "string" && only ? texts[0] : content;
}
