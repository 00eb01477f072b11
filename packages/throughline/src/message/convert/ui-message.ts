import { checkOptions } from "../../errors/check-options.ts";
import { InvalidMessageError } from "../../errors/input-errors.ts";
import { booleanField, type JsonRecord, omitUndefined, recordField, stringField } from "../../internal/json.ts";
import type { DraftDefaults, Message, MessageDraft } from "../message.ts";
import type { PartDraft, ProviderOptions, ToolResultPart } from "../part.ts";
import type { ToolOutput } from "../tool-output.ts";
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

/** A tool call read from a UI message, and its results so far. */
interface ReadToolPart {
  readonly said: readonly PartDraft[];
  readonly answered: readonly PartDraft[];
}

const UNDERSTOOD = [
  "type",
  "toolName",
  "toolCallId",
  "state",
  "input",
  "rawInput",
  "output",
  "errorText",
  "providerExecuted",
  "callProviderMetadata",
  "resultProviderMetadata",
  "approval",
];

/** Reads a tool part as the AI SDK's `convertToModelMessages` does; `undefined` for other parts. */
function readToolPart(raw: JsonRecord): ReadToolPart | undefined {
  const toolName = nameOf(raw);
  const toolCallId = stringField(raw, "toolCallId");
  // Calls with incomplete input are skipped.
  if (toolName === undefined || toolCallId === undefined || raw.state === "input-streaming") return undefined;
  const providerExecuted = booleanField(raw, "providerExecuted");
  const names = omitUndefined({ toolCallId, toolName, providerExecuted });
  const called = readProviderOptions(raw.callProviderMetadata);
  const returned = readProviderOptions(raw.resultProviderMetadata);
  const call: PartDraft = omitUndefined({
    type: "tool-call" as const,
    ...names,
    input: readInput(raw),
    providerOptions: called ?? (isFailed(raw) ? returned : undefined),
    foreign: foreignOf(FORMAT, raw, UNDERSTOOD),
  });
  const provided = providerExecuted === true;
  const said = [call, ...readRequest(raw, toolCallId)];
  const answered = [...readResponse(raw, providerExecuted), ...result(names, readDenial(raw, provided), called)];
  const given = result(names, readOutput(raw, provided), provided ? (returned ?? called) : called);
  return provided ? { said: [...said, ...given], answered } : { said, answered: [...answered, ...given] };
}

function result(
  names: Pick<ToolResultPart, "toolCallId" | "toolName" | "providerExecuted">,
  output: ToolOutput | undefined,
  providerOptions: ProviderOptions | undefined,
): PartDraft[] {
  return output === undefined
    ? []
    : [omitUndefined({ type: "tool-result" as const, ...names, output, providerOptions })];
}

function nameOf(raw: JsonRecord): string | undefined {
  const type = stringField(raw, "type") ?? "";
  if (type === "dynamic-tool") return stringField(raw, "toolName");
  return type.startsWith("tool-") ? type.slice("tool-".length) : undefined;
}

function isFailed(raw: JsonRecord): boolean {
  return raw.state === "output-error";
}

function readInput(raw: JsonRecord): unknown {
  const input = isFailed(raw) ? (raw.input ?? raw.rawInput) : raw.input;
  return input === undefined ? {} : input;
}

/** Written as AI SDK fields: a signature covers the call and must reach the AI SDK unchanged. */
function readRequest(raw: JsonRecord, toolCallId: string): PartDraft[] {
  const approval = recordField(raw, "approval");
  const approvalId = approval && stringField(approval, "id");
  if (approval === undefined || approvalId === undefined) return [];
  const { requestReason: reason, isAutomatic, signature, inputSchemaInput } = approval;
  const bound = omitUndefined({ reason, isAutomatic, signature, inputSchemaInput });
  const foreign = foreignOf("ai-sdk", bound, []);
  return [omitUndefined({ type: "tool-approval-request" as const, approvalId, toolCallId, foreign })];
}

function readResponse(raw: JsonRecord, providerExecuted: boolean | undefined): PartDraft[] {
  const approval = recordField(raw, "approval") ?? {};
  const approvalId = stringField(approval, "id");
  const approved = booleanField(approval, "approved");
  if (approvalId === undefined || approved === undefined) return [];
  const reason = stringField(approval, "reason");
  return [omitUndefined({ type: "tool-approval-response" as const, approvalId, approved, reason, providerExecuted })];
}

/** A denied call has the denial as its result, even if the AI SDK has not recorded it yet. */
function readDenial(raw: JsonRecord, provided: boolean): ToolOutput | undefined {
  const approval = recordField(raw, "approval") ?? {};
  const isNew = raw.state === "approval-responded" && approval.approved === false;
  const isNoted = raw.state === "output-denied" && !provided;
  if (!isNew && !isNoted) return undefined;
  return omitUndefined({ type: "execution-denied" as const, reason: stringField(approval, "reason") });
}

function readOutput(raw: JsonRecord, provided: boolean): ToolOutput | undefined {
  if (isFailed(raw)) {
    const value = stringField(raw, "errorText") ?? "The tool failed.";
    return provided ? { type: "error-json", value } : { type: "error-text", value };
  }
  if (raw.state !== "output-available") return undefined;
  const { output = null } = raw;
  return typeof output === "string" ? { type: "text", value: output } : { type: "json", value: output };
}
