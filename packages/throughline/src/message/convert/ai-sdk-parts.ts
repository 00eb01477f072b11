import { booleanField, isRecord, type JsonRecord, omitUndefined, stringField } from "../../internal/json.ts";
import type { FilePart, Foreign, Part, PartDraft, ReasoningFilePart, ToolCallPart, ToolResultPart } from "../part.ts";
import { type ToolOutput, toToolOutput } from "../tool-output.ts";
import {
  fieldsFor,
  foreignOf,
  formFor,
  formsFor,
  joinForms,
  readProviderOptions,
  understood,
  withFields,
} from "./conversion.ts";
import { readFileData, writeFileData } from "./file-data.ts";
import { portableItem, RAW } from "./tool-content.ts";

const FORMAT = "ai-sdk";
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
export function readPart(raw: JsonRecord): PartDraft {
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
