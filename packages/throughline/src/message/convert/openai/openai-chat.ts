import { checkOptions } from "../../../errors/check-options.ts";
import { InvalidMessageError, type Place } from "../../../errors/input-errors.ts";
import {
  isRecord,
  type JsonRecord,
  omitUndefined,
  otherFields,
  recordField,
  stringField,
} from "../../../internal/json.ts";
import type { DraftDefaults, Message, MessageDraft, Role } from "../../message.ts";
import type { Part, PartDraft, ToolCallPart, ToolResultPart } from "../../part.ts";
import { toolOutputText } from "../../tool-output.ts";
import {
  asSent,
  FROM_RULES,
  fieldsFor,
  foreignOf,
  formFor,
  formsFor,
  isAcceptedFrom,
  isFrom,
  isPlainText,
  joinForms,
  lossReporter,
  type ReportLoss,
  readMessages,
  readPartList,
  TO_RULES,
  type ToForeignOptions,
  type ToolNames,
  understood,
  unknownRole,
  withFields,
} from "../conversion.ts";
import { type PieceForm, RAW, readToolContent, writeToolContent } from "../tool-content.ts";
import {
  type ReadArguments,
  readArguments,
  readContentPart,
  writeArguments,
  writeContentPart,
} from "./openai-content.ts";

const FORMAT = "openai-chat";
/** An opaque part that was among the calls. */
const CALL = "call";
/** Some services omit the type of a call. */
const UNTYPED = "untyped";
const NO_CONTENT = "no-content";

const PIECES: PieceForm = {
  format: FORMAT,
  read: (raw) => readContentPart(raw, FORMAT),
  write: (part) => writeContentPart(part, FORMAT, "tool"),
};

/** OpenAI's tool messages only hold text. Other content is returned only to the service that sent it. */
const TEXTS: PieceForm = { ...PIECES, write: (part) => (part.type === "text" ? PIECES.write(part) : undefined) };

const ROLES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["assistant", "assistant"],
  ["tool", "tool"],
]);

/** A message of OpenAI's chat completions API. Unknown fields are kept unchanged. */
export interface OpenAiChatMessage {
  readonly role: "system" | "developer" | "user" | "assistant" | "tool";
  readonly content?: unknown;
  readonly [field: string]: unknown;
}

/**
 * Converts messages of OpenAI's chat completions API, or of a compatible service, to Throughline messages.
 *
 * @param messages Chat completion messages.
 * @param sessionId Session id of the converted messages. Default: empty.
 * @param defaults Ids and times of messages that have none.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const rich = convertChatToRich([{ role: "user", content: "Hello" }], "session-1");
 */
export function convertChatToRich(
  messages: readonly OpenAiChatMessage[],
  sessionId = "",
  defaults: Omit<DraftDefaults, "sessionId"> = {},
): Message[] {
  checkOptions("convertChatToRich", defaults, FROM_RULES);
  const names: ToolNames = new Map();
  return readMessages(FORMAT, messages, { ...defaults, sessionId }, (raw, index) => [
    readChatMessage(raw, index, names),
  ]);
}

export function readChatMessage(raw: JsonRecord, index: number, names: ToolNames): MessageDraft {
  const role = ROLES.get(raw.role);
  if (role === undefined) throw unknownRole(index, raw.role);
  return role === "tool" ? { role, parts: [readResult(raw, index, names)] } : readSpoken(raw, role, index, names);
}

/** A tool message holds one result, so message fields are recorded on the result. */
function readResult(raw: JsonRecord, index: number, names: ToolNames): PartDraft {
  const toolCallId = stringField(raw, "tool_call_id");
  if (toolCallId === undefined) throw new InvalidMessageError({ message: index }, "tool message without tool_call_id");
  const { output, form } = readToolContent(raw.content, PIECES);
  return omitUndefined({
    type: "tool-result",
    toolCallId,
    toolName: names.get(toolCallId) ?? stringField(raw, "name") ?? "unknown",
    output,
    foreign: foreignOf(FORMAT, raw, ["role", "content", "tool_call_id"], raw.content === undefined ? NO_CONTENT : form),
  });
}

function readSpoken(raw: JsonRecord, role: Role, index: number, names: ToolNames): MessageDraft {
  const { content } = raw;
  const reasoning = stringField(raw, "reasoning_content");
  const calls = Array.isArray(raw.tool_calls) && raw.tool_calls.length > 0 ? raw.tool_calls : undefined;
  const known = understood({ role, content: true, reasoning_content: reasoning, tool_calls: calls });
  const form = joinForms(
    raw.role === "developer" && "developer",
    typeof content === "string" && "string",
    content === null && "null",
    Array.isArray(content) && "list",
  );
  const parts: PartDraft[] = [
    ...(reasoning === undefined ? [] : [{ type: "reasoning" as const, text: reasoning }]),
    ...readContent(content, index),
  ];
  const called = Array.from<unknown>(calls ?? []).map((call, i) =>
    readCall(call, { message: index, part: parts.length + i }, names),
  );
  return omitUndefined({ role, parts: [...parts, ...called], foreign: foreignOf(FORMAT, raw, known, form) });
}

function readContent(content: unknown, index: number): PartDraft[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  return readPartList(content, index, (raw) => readContentPart(raw, FORMAT));
}

/** Reads one call. Calls of an unknown kind are kept unchanged and marked as calls. */
function readCall(raw: unknown, place: Place, names: ToolNames): PartDraft {
  if (!isRecord(raw)) throw new InvalidMessageError(place, "tool call must be an object");
  const { type = "function" } = raw;
  if (type !== "function" && type !== "custom") {
    return { type: "opaque", format: FORMAT, value: raw, foreign: { format: FORMAT, form: CALL } };
  }
  const body = recordField(raw, type);
  const field = type === "custom" ? "input" : "arguments";
  const toolCallId = stringField(raw, "id");
  const toolName = body && stringField(body, "name");
  const text = body && stringField(body, field);
  if (body === undefined || toolCallId === undefined || toolName === undefined || text === undefined) {
    throw new InvalidMessageError(place, `tool call without id, name or ${field}`);
  }
  names.set(toolCallId, toolName);
  const { input, verbatim }: ReadArguments = type === "custom" ? { input: text } : readArguments(text);
  const inner = omitUndefined({ ...otherFields(body, ["name", field]), [field]: verbatim });
  const form = type === "custom" ? type : raw.type === undefined ? UNTYPED : undefined;
  const nested = { [type]: Object.keys(inner).length === 0 ? undefined : inner };
  const foreign = foreignOf(FORMAT, raw, ["id", "type", type], form, nested);
  return omitUndefined({ type: "tool-call", toolCallId, toolName, input, foreign });
}

/**
 * Converts Throughline messages to OpenAI's chat completions format. Each tool result becomes a separate message.
 *
 * @param messages Throughline messages.
 * @param options Callback for parts that cannot be expressed.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const body = JSON.stringify({ model: "gpt-4o", messages: convertRichToChat(messages) });
 */
export function convertRichToChat(messages: readonly Message[], options: ToForeignOptions = {}): OpenAiChatMessage[] {
  checkOptions("convertRichToChat", options, TO_RULES);
  return messages.flatMap((message, index) => {
    const lose = lossReporter(options, index, "OpenAI chat");
    const own = isFrom(FORMAT, message);
    const results: OpenAiChatMessage[] = [];
    const rest: PlacedPart[] = [];
    message.parts.map(asSent).forEach((part, place) => {
      const isResult = part.type === "tool-result" && part.providerExecuted !== true;
      if (isResult) results.push(writeResult(part, own, (kind) => lose(place, kind)));
      else rest.push({ part, place });
    });
    const said = writeSpoken(message, rest, lose);
    return said === undefined ? results : [said, ...results];
  });
}

interface PlacedPart {
  readonly part: Part;
  readonly place: number;
}

function writeSpoken(message: Message, parts: readonly PlacedPart[], lose: ReportLoss): OpenAiChatMessage | undefined {
  const own = isFrom(FORMAT, message);
  const said: Record<WrittenPart["field"], JsonRecord[]> = { content: [], reasoning: [], calls: [] };
  for (const { part, place } of parts) {
    const written = message.role === "tool" ? undefined : writePart(part, message, own);
    if (written === undefined) lose(place, part.type);
    else said[written.field].push(written.piece);
  }
  const { content, reasoning, calls } = said;
  const wasEmpty = own && message.parts.length === 0;
  if (content.length + calls.length + reasoning.length === 0 && !wasEmpty) return undefined;
  const forms = formsFor(FORMAT, message);
  const known = {
    role: forms.includes("developer") ? "developer" : message.role,
    content: writeContent(content, forms, own || calls.length > 0),
    reasoning_content: reasoning.length === 0 ? undefined : reasoning.map((piece) => piece.text).join("\n"),
    tool_calls: calls.length === 0 ? undefined : calls,
  };
  return withFields(known, fieldsFor(FORMAT, message)) as unknown as OpenAiChatMessage;
}

/** A written part and the message field it belongs to. */
interface WrittenPart {
  readonly field: "content" | "reasoning" | "calls";
  readonly piece: JsonRecord;
}

function writePart(part: Part, message: Message, own: boolean): WrittenPart | undefined {
  if (!own && !isAcceptedFrom(message, part)) return undefined;
  if (part.type === "tool-call" && part.providerExecuted !== true) return { field: "calls", piece: writeCall(part) };
  // Only services that sent this field accept it; OpenAI refuses it.
  if (part.type === "reasoning" && own) return { field: "reasoning", piece: { text: part.text } };
  const piece = writeContentPart(part, FORMAT, message.role);
  return piece && { field: formFor(FORMAT, part) === CALL ? "calls" : "content", piece };
}

/** A single text is written as a string, unless it was read as a list. */
function writeContent(content: readonly JsonRecord[], forms: readonly string[], mayLack: boolean): unknown {
  const [only, ...more] = content;
  if (more.length === 0 && isPlainText(only) && !forms.includes("list")) return only.text;
  if (content.length > 0 || forms.includes("list")) return content;
  if (forms.includes("null")) return null;
  return mayLack ? undefined : "";
}

function writeCall(part: ToolCallPart): JsonRecord {
  const form = formFor(FORMAT, part);
  const type = form === "custom" ? "custom" : "function";
  const { [type]: noted, ...fields } = fieldsFor(FORMAT, part);
  const inner = isRecord(noted) ? noted : {};
  const said = type === "custom" ? { input: part.input } : { arguments: writeArguments(part.input, inner.arguments) };
  const body = withFields({ name: part.toolName, ...said }, inner);
  return withFields({ id: part.toolCallId, type: form === UNTYPED ? undefined : type, [type]: body }, fields);
}

function writeResult(part: ToolResultPart, own: boolean, lose: (kind: string) => void): OpenAiChatMessage {
  const known = { role: "tool", tool_call_id: part.toolCallId, content: writeOutput(part, own, lose) };
  return withFields(known, fieldsFor(FORMAT, part)) as unknown as OpenAiChatMessage;
}

function writeOutput(part: ToolResultPart, own: boolean, lose: (kind: string) => void): unknown {
  const { output } = part;
  if (output.type === "content") return writeToolContent(output.value, own ? PIECES : TEXTS, own, lose);
  if (output.type !== "json") return toolOutputText(output);
  const form = formFor(FORMAT, part);
  if (form === NO_CONTENT && output.value === null) return undefined;
  return form === RAW ? output.value : toolOutputText(output);
}
