import {
  booleanField,
  isRecord,
  type JsonRecord,
  omitUndefined,
  otherFields,
  recordField,
  stringField,
} from "../../internal/json.ts";
import type { FileData, FilePart, Part, PartDraft, ReasoningPart, ToolResultPart } from "../part.ts";
import { isErrorOutput, type ToolOutput, toolOutputText } from "../tool-output.ts";
import {
  fieldsFor,
  foreignOf,
  formFor,
  optionsFor,
  providerOption,
  type ToolNames,
  understood,
  withFields,
} from "./conversion.ts";
import { decodeText, fullMediaType, isImage, splitDataUrl, toBase64 } from "./file-data.ts";
import { type PieceForm, RAW, readToolContent, writeToolContent } from "./tool-content.ts";

const FORMAT = "anthropic";
const UNSIGNED = "unsigned";
const NO_CONTENT = "no-content";

/** Reads one content block. Blocks of an unknown kind are kept unchanged. */
export function readBlock(raw: JsonRecord, names: ToolNames): PartDraft {
  return readKnownBlock(raw, names) ?? { type: "opaque", format: FORMAT, value: raw };
}

function readKnownBlock(raw: JsonRecord, names: ToolNames): PartDraft | undefined {
  switch (raw.type) {
    case "text":
      return readText(raw, "text", {});
    case "compaction":
      return readText(raw, "content", { type: "compaction" });
    case "thinking":
      return readThinking(raw);
    case "redacted_thinking":
      return readRedacted(raw);
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return readToolUse(raw, names);
    case "image":
    case "document":
      return readFileBlock(raw);
    case "tool_result":
      return readToolResult(raw, names);
    default:
      return typeof raw.type === "string" && raw.type.endsWith("_tool_result")
        ? readProvidedResult(raw, raw.type, names)
        : undefined;
  }
}

function readText(raw: JsonRecord, field: "text" | "content", options: JsonRecord): PartDraft | undefined {
  const text = stringField(raw, field);
  if (text === undefined) return undefined;
  const { cache_control } = raw;
  return omitUndefined({
    type: "text",
    text,
    providerOptions: optionsFor("anthropic", { ...options, cacheControl: cache_control }),
    foreign: foreignOf(FORMAT, raw, understood({ type: true, [field]: text, cache_control })),
  });
}

function readThinking(raw: JsonRecord): PartDraft | undefined {
  const text = stringField(raw, "thinking");
  if (text === undefined) return undefined;
  const signature = stringField(raw, "signature");
  const known = understood({ type: true, thinking: text, signature });
  return omitUndefined({
    type: "reasoning",
    text,
    providerOptions: optionsFor("anthropic", { signature }),
    foreign: foreignOf(FORMAT, raw, known, signature === undefined ? UNSIGNED : undefined),
  });
}

function readRedacted(raw: JsonRecord): PartDraft | undefined {
  const data = stringField(raw, "data");
  if (data === undefined) return undefined;
  return omitUndefined({
    type: "reasoning",
    text: "",
    providerOptions: optionsFor("anthropic", { redactedData: data }),
    foreign: foreignOf(FORMAT, raw, ["type", "data"]),
  });
}

function readToolUse(raw: JsonRecord, names: ToolNames): PartDraft | undefined {
  const toolCallId = stringField(raw, "id");
  const toolName = stringField(raw, "name");
  if (toolCallId === undefined || toolName === undefined) return undefined;
  names.set(toolCallId, toolName);
  const provided = raw.type !== "tool_use";
  const { cache_control } = raw;
  const known = understood({ type: true, id: true, name: true, input: true, cache_control });
  return omitUndefined({
    type: "tool-call",
    toolCallId,
    toolName,
    input: raw.input === undefined ? {} : raw.input,
    providerExecuted: provided || undefined,
    providerOptions: optionsFor("anthropic", { cacheControl: cache_control }),
    foreign: foreignOf(FORMAT, raw, known, provided ? String(raw.type) : undefined),
  });
}

/** Content that messages and results share. Other blocks stay opaque: results cannot contain results. */
const PIECES: PieceForm = {
  format: FORMAT,
  read: (raw) =>
    raw.type === "text" || raw.type === "image" || raw.type === "document"
      ? readBlock(raw, new Map())
      : { type: "opaque", format: FORMAT, value: raw },
  write: (part) => writeBlock(part),
};

function readToolResult(raw: JsonRecord, names: ToolNames): PartDraft | undefined {
  const toolCallId = stringField(raw, "tool_use_id");
  if (toolCallId === undefined) return undefined;
  const failed = booleanField(raw, "is_error") === true || undefined;
  const read =
    raw.content === undefined
      ? { output: { type: "text", value: "" } as const, form: NO_CONTENT }
      : readToolContent(raw.content, PIECES);
  const { output, form } = failed ? asFailed(read, raw.content) : read;
  const { cache_control } = raw;
  const known = understood({ type: true, tool_use_id: true, content: true, is_error: failed, cache_control });
  return omitUndefined({
    type: "tool-result",
    toolCallId,
    toolName: names.get(toolCallId) ?? "unknown",
    output,
    providerOptions: optionsFor("anthropic", { cacheControl: cache_control }),
    foreign: foreignOf(FORMAT, raw, known, form),
  });
}

/** The AI SDK has no content list for failed calls, so such a list is kept as JSON. */
function asFailed(
  read: { output: ToolOutput; form?: string },
  content: unknown,
): { output: ToolOutput; form?: string } {
  return read.output.type === "text"
    ? { ...read, output: { type: "error-text", value: read.output.value } }
    : { output: { type: "error-json", value: content }, form: RAW };
}

/** Reads the result of a call that Anthropic ran. Each tool has its own content format. */
function readProvidedResult(raw: JsonRecord, type: string, names: ToolNames): PartDraft | undefined {
  const toolCallId = stringField(raw, "tool_use_id");
  const { content, cache_control } = raw;
  if (toolCallId === undefined || content === undefined) return undefined;
  const failed = booleanField(raw, "is_error") === true || undefined;
  const known = understood({ type: true, tool_use_id: true, content: true, is_error: failed, cache_control });
  return omitUndefined({
    type: "tool-result",
    toolCallId,
    toolName: names.get(toolCallId) ?? "unknown",
    output: { type: failed ? "error-json" : "json", value: content } as const,
    providerExecuted: true,
    providerOptions: optionsFor("anthropic", { cacheControl: cache_control }),
    foreign: foreignOf(FORMAT, raw, known, type),
  });
}

/** Writes one content block; `undefined` if Anthropic has no equivalent. `own`: the part came from Anthropic. */
export function writeBlock(part: Part, own = false, lose?: (kind: string) => void): JsonRecord | undefined {
  if (part.type === "opaque") return part.format === FORMAT && isRecord(part.value) ? part.value : undefined;
  const known = writeKnown(part, own, lose);
  return known && withFields(known, fieldsFor(FORMAT, part));
}

function writeKnown(part: Part, own: boolean, lose?: (kind: string) => void): JsonRecord | undefined {
  const cache_control = providerOption(part, FORMAT, "cacheControl");
  switch (part.type) {
    case "text":
      return providerOption(part, FORMAT, "type") === "compaction"
        ? { type: "compaction", content: part.text, cache_control }
        : { type: "text", text: part.text, cache_control };
    case "reasoning":
      return writeReasoning(part);
    case "tool-call": {
      const type = part.providerExecuted === true ? formFor(FORMAT, part) : "tool_use";
      const { toolCallId: id, toolName: name, input } = part;
      return type === undefined ? undefined : { type, id, name, input, cache_control };
    }
    case "tool-result": {
      const result = part.providerExecuted === true ? writeProvidedResult(part) : writeResult(part, own, lose);
      return result && { ...result, cache_control };
    }
    case "file": {
      const file = writeFileBlock(part);
      return file && { ...file, cache_control };
    }
    default:
      return undefined;
  }
}

/** Anthropic refuses thinking without a signature, unless it was read without one. */
function writeReasoning(part: ReasoningPart): JsonRecord | undefined {
  const redacted = providerOption(part, FORMAT, "redactedData");
  if (redacted !== undefined) return { type: "redacted_thinking", data: redacted };
  const signature = providerOption(part, FORMAT, "signature");
  if (signature === undefined && formFor(FORMAT, part) !== UNSIGNED) return undefined;
  return { type: "thinking", thinking: part.text, signature };
}

/** Each provider-run tool has its own result format, so only results that came from Anthropic are written. */
function writeProvidedResult(part: ToolResultPart): JsonRecord | undefined {
  const type = formFor(FORMAT, part);
  if (type === undefined) return undefined;
  const content = part.output.type === "execution-denied" ? toolOutputText(part.output) : part.output.value;
  const is_error = isErrorOutput(part.output) || undefined;
  return { type, tool_use_id: part.toolCallId, content, is_error };
}

function writeResult(part: ToolResultPart, own: boolean, lose?: (kind: string) => void): JsonRecord {
  const { output } = part;
  const form = formFor(FORMAT, part);
  const block = { type: "tool_result", tool_use_id: part.toolCallId, is_error: isErrorOutput(output) || undefined };
  if (output.type === "content") return { ...block, content: writeToolContent(output.value, PIECES, own, lose) };
  const isRaw = form === RAW && (output.type === "json" || output.type === "error-json");
  const content = isRaw ? output.value : toolOutputText(output);
  return form === NO_CONTENT && content === "" ? block : { ...block, content };
}

/** Reads an `image` or `document` block; `undefined` if its source is of an unknown kind. */
function readFileBlock(raw: JsonRecord): PartDraft | undefined {
  const source = readSource(recordField(raw, "source") ?? {});
  if (source === undefined) return undefined;
  const kind = raw.type === "image" ? "image" : "application/pdf";
  const filename = raw.type === "document" ? stringField(raw, "title") : undefined;
  const known = understood({ type: true, source, title: filename, cache_control: raw.cache_control });
  return omitUndefined({
    type: "file",
    mediaType: source.mediaType ?? kind,
    filename,
    data: source.data,
    providerOptions: optionsFor("anthropic", { cacheControl: raw.cache_control }),
    foreign: foreignOf(FORMAT, raw, known, String(raw.type), { source: source.rest }),
  });
}

interface Source {
  readonly data: FileData;
  readonly mediaType?: string;
  readonly rest: JsonRecord | undefined;
}

function readSource(source: JsonRecord): Source | undefined {
  const data = stringField(source, "data");
  const mediaType = stringField(source, "media_type");
  const url = stringField(source, "url");
  const fileId = stringField(source, "file_id");
  if (source.type === "url" && url !== undefined) {
    return { data: { type: "url", url }, rest: otherFields(source, ["type", "url"]) };
  }
  if (source.type === "file" && fileId !== undefined) {
    const reference = { anthropic: fileId };
    return { data: { type: "reference", reference }, rest: otherFields(source, ["type", "file_id"]) };
  }
  if (data === undefined || mediaType === undefined) return undefined;
  const rest = otherFields(source, ["type", "data", "media_type"]);
  if (source.type === "base64") return { data: { type: "data", data }, mediaType, rest };
  return source.type === "text" ? { data: { type: "text", text: data }, mediaType, rest } : undefined;
}

/** Writes a file as its original block, or as the block for its media type. */
function writeFileBlock(part: FilePart): JsonRecord | undefined {
  const form = formFor(FORMAT, part);
  const type = form ?? typeFor(part);
  const source = type === undefined ? undefined : writeSource(part, form !== undefined);
  if (source === undefined) return undefined;
  const { source: inner } = fieldsFor(FORMAT, part);
  return {
    type,
    source: isRecord(inner) ? { ...source, ...inner } : source,
    title: type === "document" ? part.filename : undefined,
  };
}

function typeFor(part: FilePart): string | undefined {
  if (isImage(part)) return "image";
  return part.mediaType === "application/pdf" || part.mediaType.startsWith("text/") ? "document" : undefined;
}

function writeSource(part: FilePart, own: boolean): JsonRecord | undefined {
  const { data, mediaType } = part;
  switch (data.type) {
    case "text":
      return { type: "text", media_type: mediaType, data: data.text };
    case "reference":
      return data.reference.anthropic === undefined ? undefined : { type: "file", file_id: data.reference.anthropic };
    case "url": {
      const inline = splitDataUrl(data.url);
      return inline === undefined || own
        ? { type: "url", url: data.url }
        : writeInline(inline.mediaType, inline.base64, own);
    }
    case "data":
      return writeInline(mediaType, data.data, own);
  }
}

/** Anthropic accepts base64 only for images and PDFs. Text is written as text. */
function writeInline(mediaType: string, data: string | Uint8Array, own: boolean): JsonRecord | undefined {
  if (own || !mediaType.startsWith("text/")) {
    return { type: "base64", media_type: own ? mediaType : fullMediaType(mediaType, data), data: toBase64(data) };
  }
  const text = decodeText(data);
  return text === undefined ? undefined : { type: "text", media_type: "text/plain", data: text };
}
