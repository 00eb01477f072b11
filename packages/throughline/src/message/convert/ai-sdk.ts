import { checkOptions } from "../../errors/check-options.ts";
import { booleanField, isRecord, type JsonRecord, omitUndefined, stringField } from "../../internal/json.ts";
import { isAllowedIn } from "../legality-rules.ts";
import type { DraftDefaults, Message, MessageDraft, Role } from "../message.ts";
import type { FilePart, Foreign, Part, PartDraft, ReasoningFilePart, ToolCallPart, ToolResultPart } from "../part.ts";
import { type ToolOutput, toToolOutput } from "../tool-output.ts";
import type { ModelMessage } from "./ai-sdk-types.ts";
import {
  asSent,
  FROM_RULES,
  fieldsFor,
  foreignOf,
  formFor,
  formsFor,
  isFrom,
  isPlainText,
  joinForms,
  lossReporter,
  readMessages,
  readPartList,
  readProviderOptions,
  TO_RULES,
  type ToForeignOptions,
  understood,
  unknownRole,
  withFields,
} from "./conversion.ts";
import { readFileData, writeFileData } from "./file-data.ts";
import { portableItem, RAW } from "./tool-content.ts";

const FORMAT = "ai-sdk";
const ROLES: readonly unknown[] = ["system", "user", "assistant", "tool"] satisfies Role[];

/** Any object with a role and content, such as the `ModelMessage` of any AI SDK version. */
export interface ForeignModelMessage {
  readonly role: string;
  readonly content: unknown;
}

/**
 * Converts AI SDK messages to Throughline messages. Parts of unknown kinds are kept unchanged. The `args` and `result`
 * of versions before 5 are read too, and written in the current form.
 *
 * @param messages AI SDK messages of any version.
 * @param sessionId Session id of the converted messages. Default: empty.
 * @param defaults Ids and times of messages that have none.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const rich = convertModelToRich([{ role: "user", content: "Hello" }], "session-1");
 */
export function convertModelToRich(
  messages: readonly ForeignModelMessage[],
  sessionId = "",
  defaults: Omit<DraftDefaults, "sessionId"> = {},
): Message[] {
  checkOptions("convertModelToRich", defaults, FROM_RULES);
  const provided = new Set<string>();
  return readMessages(FORMAT, messages, { ...defaults, sessionId }, (raw, index) => [
    readModelMessage(raw, index, provided),
  ]);
}

/** Reads one message. `provided` collects the ids of calls that the provider ran. */
export function readModelMessage(raw: JsonRecord, index: number, provided: Set<string> = new Set()): MessageDraft {
  const { role, content } = raw;
  if (!ROLES.includes(role)) throw unknownRole(index, role);
  const form = typeof content === "string" ? "string" : undefined;
  const providerOptions = readProviderOptions(raw.providerOptions);
  const known = understood({ role, content: true, providerOptions });
  const parts = typeof content === "string" ? [textPart(content)] : readPartList(content, index, readPart);
  return omitUndefined({
    role: role as Role,
    parts: parts.map((part) => markProvided(part, provided)),
    providerOptions,
    foreign: foreignOf(FORMAT, raw, known, form),
  });
}

function textPart(text: string): PartDraft {
  return { type: "text", text };
}

/** The AI SDK marks the call that the provider ran, but not its result. */
function markProvided(part: PartDraft, provided: Set<string>): PartDraft {
  if (part.type === "tool-call" && part.providerExecuted === true) provided.add(part.toolCallId);
  return part.type === "tool-result" && provided.has(part.toolCallId) ? { ...part, providerExecuted: true } : part;
}

/**
 * Converts Throughline messages to AI SDK messages, versions 6 and 7. A summary becomes text. Parts that the AI SDK
 * cannot express are reported to `onLoss`.
 *
 * @param messages Throughline messages.
 * @param options Callback for parts that cannot be expressed.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const prompt = convertRichToModel(messages, { onLoss: ({ what }) => console.warn(what) });
 */
export function convertRichToModel(messages: readonly Message[], options: ToForeignOptions = {}): ModelMessage[] {
  checkOptions("convertRichToModel", options, TO_RULES);
  return messages.flatMap((message, index) => {
    const own = isFrom(FORMAT, message);
    const lose = lossReporter(options, index, "the AI SDK");
    const content = message.parts.flatMap((part, partIndex): JsonRecord | readonly JsonRecord[] => {
      const sent = asSent(part);
      const written = isAccepted(message, sent, own) ? writePart(sent, own) : undefined;
      if (written === undefined) lose(partIndex, part.type);
      return written ?? [];
    });
    const wasEmpty = own && message.parts.length === 0;
    if (content.length === 0 && !wasEmpty) return [];
    const written = message.role === "system" ? writeSystem(message, content) : [writeMessage(message, content)];
    return written as unknown as ModelMessage[];
  });
}

/** Version 6 refuses file references, so references are written only if they came from the AI SDK (version 7). */
function isAccepted({ role, provenance }: Message, part: Part, own: boolean): boolean {
  if (role === "system") return part.type === "text";
  const isReference = part.type === "file" && part.data.type === "reference";
  if (isReference && !own && provenance !== undefined && provenance.format !== "ai-sdk-ui") return false;
  return own || isAllowedIn(role, part);
}

function writeMessage(message: Message, content: readonly JsonRecord[]): JsonRecord {
  const [first, ...more] = content;
  const isString = formFor(FORMAT, message) === "string" && more.length === 0 && isPlainText(first);
  const { role, providerOptions } = message;
  return withFields({ role, content: isString ? first.text : content, providerOptions }, fieldsFor(FORMAT, message));
}

/**
 * The AI SDK requires one text. Texts with their own provider options, such as cache marks, become separate messages.
 */
function writeSystem(message: Message, content: readonly JsonRecord[]): JsonRecord[] {
  const isMarked = content.some((part) => part.providerOptions !== undefined);
  const runs = isMarked ? content.map((part) => [part]) : [content];
  return runs.map((run) => {
    const ofPart = readProviderOptions(run[0]?.providerOptions);
    const known = {
      role: message.role,
      content: run.map((part) => part.text).join("\n"),
      providerOptions: ofPart === undefined ? message.providerOptions : { ...message.providerOptions, ...ofPart },
    };
    return withFields(known, fieldsFor(FORMAT, message));
  });
}

/** The call had no input field. */
const NO_INPUT = "no-input";

type PartReader = (raw: JsonRecord) => PartDraft | undefined;

const READERS: ReadonlyMap<unknown, PartReader> = new Map<unknown, PartReader>([
  ["text", (raw) => readText(raw, "text")],
  ["reasoning", (raw) => readText(raw, "reasoning")],
  ["file", (raw) => readFile(raw, "data")],
  ["reasoning-file", (raw) => readFile(raw, "data")],
  ["image", (raw) => readFile(raw, "image")],
  ["tool-call", readToolCall],
  ["tool-result", readToolResult],
  ["tool-approval-request", readApprovalRequest],
  ["tool-approval-response", readApprovalResponse],
]);

/** Reads one part. Parts of an unknown kind, or without the fields that their kind requires, are kept unchanged. */
function readPart(raw: JsonRecord): PartDraft {
  return READERS.get(raw.type)?.(raw) ?? { type: "opaque", format: FORMAT, value: raw };
}

/** Collects the fields of a part that were not read. */
function rest(raw: JsonRecord, read: JsonRecord, form?: string, inner?: JsonRecord): Foreign | undefined {
  return foreignOf(FORMAT, raw, understood({ type: true, ...read }), form, inner);
}

function readText(raw: JsonRecord, type: "text" | "reasoning"): PartDraft | undefined {
  const text = stringField(raw, "text");
  if (text === undefined) return undefined;
  const read = { text, providerOptions: readProviderOptions(raw.providerOptions) };
  return omitUndefined({ type, ...read, foreign: rest(raw, read) });
}

/** An image without a specific media type becomes `image`. */
function readFile(raw: JsonRecord, field: "data" | "image"): PartDraft | undefined {
  const found = readFileData(raw[field]);
  const said = stringField(raw, "mediaType");
  const mediaType = said === "image/*" ? "image" : (said ?? (field === "image" ? "image" : undefined));
  if (found === undefined || mediaType === undefined) return undefined;
  const form = joinForms(
    field === "image" && "image",
    said === undefined && "unnamed",
    said === "image" && "bare",
    ...found.forms,
  );
  const providerOptions = readProviderOptions(raw.providerOptions);
  const filename = raw.type === "file" ? stringField(raw, "filename") : undefined;
  const read = { mediaType: said, filename, providerOptions, [field]: true };
  const foreign = rest(raw, read, form, { [field]: found.rest });
  const common = omitUndefined({ mediaType, data: found.data, providerOptions, foreign });
  return raw.type === "reasoning-file"
    ? { type: raw.type, ...common }
    : omitUndefined({ type: "file", ...common, filename });
}

/** Versions before 5 call the input `args`. */
function readToolCall(raw: JsonRecord): PartDraft | undefined {
  const toolCallId = stringField(raw, "toolCallId");
  const toolName = stringField(raw, "toolName");
  if (toolCallId === undefined || toolName === undefined) return undefined;
  const { input = raw.args } = raw;
  const read = {
    toolCallId,
    toolName,
    providerExecuted: booleanField(raw, "providerExecuted"),
    providerOptions: readProviderOptions(raw.providerOptions),
  };
  const field = raw.input === undefined ? "args" : "input";
  const foreign = rest(raw, { ...read, [field]: true }, input === undefined ? NO_INPUT : undefined);
  return omitUndefined({ type: "tool-call", ...read, input: input === undefined ? {} : input, foreign });
}

/** Versions before 5 call the output `result` and allow any value. An output of an unknown kind is kept as JSON. */
function readToolResult(raw: JsonRecord): PartDraft | undefined {
  const toolCallId = stringField(raw, "toolCallId");
  const toolName = stringField(raw, "toolName");
  if (toolCallId === undefined || toolName === undefined) return undefined;
  const read = { toolCallId, toolName, providerOptions: readProviderOptions(raw.providerOptions) };
  if (raw.output === undefined) {
    const foreign = rest(raw, { ...read, result: true });
    return omitUndefined({ type: "tool-result", ...read, output: toToolOutput(raw.result), foreign });
  }
  const isKnown = toToolOutput(raw.output) === raw.output;
  const output: ToolOutput = isKnown ? (raw.output as ToolOutput) : { type: "json", value: raw.output };
  const foreign = rest(raw, { ...read, output }, isKnown ? undefined : RAW);
  return omitUndefined({ type: "tool-result", ...read, output, foreign });
}

function readApprovalRequest(raw: JsonRecord): PartDraft | undefined {
  const approvalId = stringField(raw, "approvalId");
  const toolCallId = stringField(raw, "toolCallId");
  if (approvalId === undefined || toolCallId === undefined) return undefined;
  const read = { approvalId, toolCallId, providerOptions: readProviderOptions(raw.providerOptions) };
  return omitUndefined({ type: "tool-approval-request", ...read, foreign: rest(raw, read) });
}

function readApprovalResponse(raw: JsonRecord): PartDraft | undefined {
  const approvalId = stringField(raw, "approvalId");
  const approved = booleanField(raw, "approved");
  if (approvalId === undefined || approved === undefined) return undefined;
  const read = {
    approvalId,
    approved,
    reason: stringField(raw, "reason"),
    providerExecuted: booleanField(raw, "providerExecuted"),
    providerOptions: readProviderOptions(raw.providerOptions),
  };
  return omitUndefined({ type: "tool-approval-response", ...read, foreign: rest(raw, read) });
}

/**
 * Writes one part for the AI SDK; `undefined` if the AI SDK has no equivalent. `own`: the part came from the AI SDK.
 */
export function writePart(part: Part, own: boolean): JsonRecord | undefined {
  if (part.type === "opaque") return part.format === FORMAT && isRecord(part.value) ? part.value : undefined;
  const known = writeKnown(part, own);
  if (known === undefined) return undefined;
  const written = withFields({ ...known, providerOptions: part.providerOptions }, fieldsFor(FORMAT, part));
  // The AI SDK requires the `input` field of a call, even if it is undefined.
  return part.type === "tool-call" ? { ...written, input: known.input } : written;
}

function writeKnown(part: Part, own: boolean): JsonRecord | undefined {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, text: part.text };
    case "file":
    case "reasoning-file":
      return writeFile(part);
    case "tool-call":
      return writeToolCall(part);
    case "tool-result": {
      const { type, toolCallId, toolName } = part;
      return { type, toolCallId, toolName, output: writeOutput(part, own) };
    }
    case "tool-approval-request": {
      const { type, approvalId, toolCallId } = part;
      return { type, approvalId, toolCallId };
    }
    case "tool-approval-response": {
      const { type, approvalId, approved, reason, providerExecuted } = part;
      return { type, approvalId, approved, reason, providerExecuted };
    }
    default:
      return undefined;
  }
}

function writeToolCall(part: ToolCallPart): JsonRecord {
  const { type, toolCallId, toolName, input, providerExecuted } = part;
  const isLeftOut = formFor(FORMAT, part) === NO_INPUT && isRecord(input) && Object.keys(input).length === 0;
  return { type, toolCallId, toolName, input: isLeftOut ? undefined : input, providerExecuted };
}

/** Converts content that only another provider accepts to text, so that the AI SDK accepts the message. */
function writeOutput(part: ToolResultPart, own: boolean): unknown {
  const { output } = part;
  if (output.type === "json" && formFor(FORMAT, part) === RAW) return output.value;
  if (output.type !== "content" || own) return output;
  return {
    ...output,
    value: output.value.map((item) => portableItem(item) ?? { type: "text", text: JSON.stringify(item) }),
  };
}

function writeFile(part: FilePart | ReasoningFilePart): JsonRecord {
  const forms = formsFor(FORMAT, part);
  const field = forms.includes("image") ? "image" : "data";
  const { [field]: inner } = fieldsFor(FORMAT, part);
  return {
    type: field === "image" ? "image" : part.type,
    [field]: writeFileData(part.data, forms, isRecord(inner) ? inner : {}),
    mediaType: writeMediaType(part.mediaType, forms),
    filename: part.type === "file" ? part.filename : undefined,
  };
}

/** Version 6 only accepts `image/*` for an unspecified image; version 7 accepts it too. */
function writeMediaType(mediaType: string, forms: readonly string[]): string | undefined {
  if (mediaType !== "image" || forms.includes("bare")) return mediaType;
  return forms.includes("unnamed") ? undefined : "image/*";
}
