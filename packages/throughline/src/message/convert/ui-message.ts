import { checkOptions } from "../../errors/check-options.ts";
import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import { type JsonRecord, omitUndefined, recordField, stringField } from "../../internal/json.ts";
import type { DraftDefaults, Message, MessageDraft } from "../message.ts";
import type { PartDraft, ProviderOptions } from "../part.ts";
import {
  FROM_RULES,
  foreignOf,
  isTyped,
  readMessages,
  readPartList,
  readProviderOptions,
  unknownRole,
} from "./conversion.ts";
import { readFileData } from "./file-data.ts";
import { readToolPart } from "./ui-tool-part.ts";

const FORMAT = "ai-sdk-ui";

/** Fields of the AI SDK's `UIMessage` that are read. */
export interface ForeignUiMessage {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly unknown[];
  readonly metadata?: unknown;
}

/**
 * Converts the messages of a user interface (`useChat`) to Throughline messages. An assistant UI message holds all
 * steps of a reply; here each step becomes an assistant message, followed by a tool message with its results.
 *
 * @param messages UI messages of AI SDK 6 or 7.
 * @param sessionId Session id of the converted messages. Default: empty.
 * @param defaults Ids and times of messages that have none.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const rich = convertUiToRich([{ id: "m1", role: "user", parts: [{ type: "text", text: "Hello" }] }], "session-1");
 */
export function convertUiToRich(
  messages: readonly ForeignUiMessage[],
  sessionId = "",
  defaults: Omit<DraftDefaults, "sessionId"> = {},
): Message[] {
  checkOptions("convertUiToRich", defaults, FROM_RULES);
  return readMessages(FORMAT, messages, { ...defaults, sessionId }, readUiMessage);
}

export function readUiMessage(raw: JsonRecord, index: number): MessageDraft[] {
  const id = stringField(raw, "id");
  const foreign = foreignOf(FORMAT, raw, ["id", "role", "parts"]);
  return readDrafts(raw, index).map((draft, step) =>
    omitUndefined({
      ...draft,
      id: id === undefined || step === 0 ? id : `${id}#${step}`,
      foreign: step === 0 ? foreign : undefined,
      provenance: omitUndefined({ format: FORMAT, id } as const),
    }),
  );
}

function readDrafts({ role, parts }: JsonRecord, index: number): MessageDraft[] {
  if (role !== "system" && role !== "user" && role !== "assistant") throw unknownRole(index, role);
  if (!Array.isArray(parts)) throw new InvalidMessageError({ message: index }, "parts must be an array");
  if (role === "assistant") return readSteps(parts, index);
  const read = readPartList(parts, index, readPlainPart);
  return [role === "user" ? { role, parts: read } : readSystem(read)];
}

/** The AI SDK joins the texts of a system message. */
function readSystem(parts: readonly PartDraft[]): MessageDraft {
  const texts = parts.filter((part) => part.type === "text");
  const others = parts.filter((part) => part.type !== "text");
  const providerOptions: ProviderOptions = Object.assign({}, ...texts.map((part) => part.providerOptions));
  return omitUndefined({
    role: "system",
    parts: [{ type: "text" as const, text: texts.map((part) => part.text).join("") }, ...others],
    providerOptions: Object.keys(providerOptions).length === 0 ? undefined : providerOptions,
  });
}

function readSteps(parts: readonly unknown[], index: number): MessageDraft[] {
  const drafts: MessageDraft[] = [];
  let said: PartDraft[] = [];
  let answered: PartDraft[] = [];
  const endStep = () => {
    if (said.some((part) => part.type !== "step-start")) drafts.push({ role: "assistant", parts: said });
    if (answered.length > 0) drafts.push({ role: "tool", parts: answered });
    said = [];
    answered = [];
  };
  Array.from(parts).forEach((raw, part) => {
    if (!isTyped(raw)) {
      throw new InvalidMessageError({ message: index, part }, "expected an object with a string `type`");
    }
    if (raw.type === "step-start") {
      endStep();
      said.push({ type: "step-start" });
    } else if (raw.type === "steering-message") {
      endStep();
      drafts.push({ role: "user", parts: readPartList(raw.parts, index, readPlainPart) });
    } else {
      const tool = readToolPart(raw);
      said.push(...(tool?.said ?? [readPlainPart(raw)]));
      answered.push(...(tool?.answered ?? []));
    }
  });
  endStep();
  return drafts;
}

function readPlainPart(raw: JsonRecord): PartDraft {
  switch (raw.type) {
    case "text":
    case "reasoning":
      return readText(raw, raw.type) ?? opaque(raw);
    case "file":
    case "reasoning-file":
      return readFile(raw, raw.type) ?? opaque(raw);
    case "custom": {
      const { providerMetadata, ...custom } = raw;
      const value = omitUndefined({ ...custom, providerOptions: providerMetadata });
      return { type: "opaque", format: "ai-sdk", value };
    }
    default:
      return opaque(raw);
  }
}

function opaque(raw: JsonRecord): PartDraft {
  return { type: "opaque", format: FORMAT, value: raw };
}

function readText(raw: JsonRecord, type: "text" | "reasoning"): PartDraft | undefined {
  const text = stringField(raw, "text");
  if (text === undefined) return undefined;
  return omitUndefined({
    type,
    text,
    providerOptions: readProviderOptions(raw.providerMetadata),
    foreign: foreignOf(FORMAT, raw, ["type", "text", "state", "providerMetadata"]),
  });
}

function readFile(raw: JsonRecord, type: "file" | "reasoning-file"): PartDraft | undefined {
  const url = stringField(raw, "url");
  const mediaType = stringField(raw, "mediaType");
  if (url === undefined || mediaType === undefined) return undefined;
  const reference = readFileData(recordField(raw, "providerReference"))?.data;
  return omitUndefined({
    type,
    mediaType,
    filename: stringField(raw, "filename"),
    data: reference?.type === "reference" ? reference : { type: "url" as const, url },
    providerOptions: readProviderOptions(raw.providerMetadata),
    foreign: foreignOf(FORMAT, raw, ["type", "mediaType", "filename", "url", "providerReference", "providerMetadata"]),
  });
}
