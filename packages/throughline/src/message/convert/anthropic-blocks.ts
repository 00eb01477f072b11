import type { FileData, FilePart, Part, PartDraft, ProviderOptions } from "../part.ts";
import {
  booleanField,
  isRecord,
  type JsonRecord,
  omitUndefined,
  otherFields,
  recordField,
  stringField,
} from "../read-json.ts";
import type { ToolContentItem, ToolOutput } from "../tool-output.ts";
import { toBase64 } from "./base64.ts";
import { fieldsFor, foreignOf, formFor, providerOption, type ToolNames } from "./conversion.ts";
import { isImage, splitDataUrl } from "./file-data.ts";

const FORMAT = "anthropic";

/** Reads one content block; a block of a kind that we do not know is carried as it is. */
export function readBlock(raw: JsonRecord, names: ToolNames): PartDraft {
  return readKnownBlock(raw, names) ?? { type: "opaque", format: FORMAT, value: raw };
}

function readKnownBlock(raw: JsonRecord, names: ToolNames): PartDraft | undefined {
  const type = String(raw.type);
  switch (type) {
    case "text":
      return readText(raw, "text", undefined);
    case "compaction":
      return readText(raw, "content", { type });
    case "thinking":
      return readThinking(raw);
    case "redacted_thinking": {
      const data = stringField(raw, "data");
      if (data === undefined) return undefined;
      const foreign = foreignOf(FORMAT, raw, ["type", "data"]);
      return omitUndefined({
        type: "reasoning",
        text: "",
        providerOptions: anthropic({ redactedData: data }),
        foreign,
      });
    }
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return readToolUse(raw, names);
    case "image":
    case "document":
      return readFile(raw);
    default:
      return type.endsWith("tool_result") ? readToolResult(raw, names) : undefined;
  }
}

function anthropic(options: Record<string, unknown>): ProviderOptions | undefined {
  const defined = omitUndefined(options);
  return Object.keys(defined).length === 0 ? undefined : { anthropic: defined };
}

function readText(raw: JsonRecord, field: string, options: Record<string, unknown> | undefined): PartDraft | undefined {
  const text = stringField(raw, field);
  if (text === undefined) return undefined;
  return omitUndefined({
    type: "text",
    text,
    providerOptions: anthropic({ ...options, cacheControl: raw.cache_control }),
    foreign: foreignOf(FORMAT, raw, ["type", field, "cache_control"]),
  });
}

function readThinking(raw: JsonRecord): PartDraft | undefined {
  const text = stringField(raw, "thinking");
  if (text === undefined) return undefined;
  const signature = stringField(raw, "signature");
  const form = signature === undefined ? "unsigned" : undefined;
  const foreign = foreignOf(FORMAT, raw, ["type", "thinking", "signature"], form);
  return omitUndefined({
    type: "reasoning",
    text,
    providerOptions: anthropic({ signature }),
    foreign,
  });
}

function readToolUse(raw: JsonRecord, names: ToolNames): PartDraft | undefined {
  const toolCallId = stringField(raw, "id");
  const toolName = stringField(raw, "name");
  if (toolCallId === undefined || toolName === undefined) return undefined;
  names.set(toolCallId, toolName);
  const own = raw.type === "tool_use";
  return omitUndefined({
    type: "tool-call",
    toolCallId,
    toolName,
    input: raw.input === undefined ? {} : raw.input,
    providerExecuted: own ? undefined : true,
    providerOptions: anthropic({ cacheControl: raw.cache_control }),
    foreign: foreignOf(
      FORMAT,
      raw,
      ["type", "id", "name", "input", "cache_control"],
      own ? undefined : String(raw.type),
    ),
  });
}

function readToolResult(raw: JsonRecord, names: ToolNames): PartDraft | undefined {
  const toolCallId = stringField(raw, "tool_use_id");
  if (toolCallId === undefined) return undefined;
  const own = raw.type === "tool_result";
  const isError = booleanField(raw, "is_error");
  const output: ToolOutput = own
    ? readOutput(raw.content, isError === true)
    : { type: "json", value: raw.content === undefined ? null : raw.content };
  return omitUndefined({
    type: "tool-result",
    toolCallId,
    toolName: names.get(toolCallId) ?? "unknown",
    output,
    providerExecuted: own ? undefined : true,
    providerOptions: anthropic({ cacheControl: raw.cache_control }),
    foreign: foreignOf(
      FORMAT,
      raw,
      ["type", "tool_use_id", "content", "cache_control", ...(own && isError !== false ? ["is_error"] : [])],
      own ? (raw.content === undefined ? "no-content" : undefined) : String(raw.type),
    ),
  });
}

/** The SDK has no list of contents that failed: such a list is kept as JSON. */
function readOutput(content: unknown, isError: boolean): ToolOutput {
  if (content === undefined) return { type: isError ? "error-text" : "text", value: "" };
  if (typeof content === "string") return { type: isError ? "error-text" : "text", value: content };
  if (isError || !Array.isArray(content) || !content.every(isRecord)) {
    return { type: isError ? "error-json" : "json", value: content };
  }
  return { type: "content", value: content.map(readContentItem) };
}

function readContentItem(block: JsonRecord): ToolContentItem {
  const source = recordField(block, "source");
  const plain = block.type === "image" && source !== undefined && otherFields(block, ["type", "source"]) === undefined;
  if (plain && source.type === "base64" && otherFields(source, ["type", "media_type", "data"]) === undefined) {
    return {
      type: "image-data",
      data: source.data,
      mediaType: source.media_type,
    };
  }
  if (plain && source.type === "url" && otherFields(source, ["type", "url"]) === undefined) {
    return { type: "image-url", url: source.url };
  }
  return block as ToolContentItem;
}

function writeContentItem(item: ToolContentItem): JsonRecord {
  if (item.type === "image-data") {
    return {
      type: "image",
      source: { type: "base64", media_type: item.mediaType, data: item.data },
    };
  }
  if (item.type === "image-url") return { type: "image", source: { type: "url", url: item.url } };
  return item;
}

function readFile(raw: JsonRecord): PartDraft | undefined {
  const source = recordField(raw, "source");
  const data = source && readSource(source);
  if (source === undefined || data === undefined) return undefined;
  const kind = raw.type === "image" ? "image" : "application/pdf";
  return omitUndefined({
    type: "file",
    mediaType: stringField(source, "media_type") ?? kind,
    filename: stringField(raw, "title"),
    data,
    providerOptions: anthropic({ cacheControl: raw.cache_control }),
    foreign: foreignOf(FORMAT, raw, ["type", "source", "title", "cache_control"], String(raw.type)),
  });
}

function readSource(source: JsonRecord): FileData | undefined {
  const data = stringField(source, "data");
  const url = stringField(source, "url");
  const fileId = stringField(source, "file_id");
  if (source.type === "base64" && data !== undefined) return { type: "data", data };
  if (source.type === "text" && data !== undefined) return { type: "text", text: data };
  if (source.type === "url" && url !== undefined) return { type: "url", url };
  if (source.type === "file" && fileId !== undefined) return { type: "reference", reference: { anthropic: fileId } };
  return undefined;
}

/** One content block, or `undefined` where Anthropic has no block for the part. */
export function writeBlock(part: Part): JsonRecord | undefined {
  const form = formFor(FORMAT, part);
  const common = omitUndefined({
    cache_control: providerOption(part, "anthropic", "cacheControl"),
    ...fieldsFor(FORMAT, part),
  });
  switch (part.type) {
    case "text":
      return providerOption(part, "anthropic", "type") === "compaction"
        ? { type: "compaction", content: part.text, ...common }
        : { type: "text", text: part.text, ...common };
    case "compaction-marker":
      return { type: "text", text: part.summary };
    case "reasoning": {
      const redacted = providerOption(part, "anthropic", "redactedData");
      const signature = providerOption(part, "anthropic", "signature");
      if (redacted !== undefined) return { type: "redacted_thinking", data: redacted, ...common };
      if (signature === undefined && form !== "unsigned") return undefined;
      return omitUndefined({
        type: "thinking",
        thinking: part.text,
        signature,
        ...common,
      });
    }
    case "tool-call": {
      const type = part.providerExecuted === true ? (form ?? "server_tool_use") : "tool_use";
      return {
        type,
        id: part.toolCallId,
        name: part.toolName,
        input: part.input,
        ...common,
      };
    }
    case "tool-result":
      if (part.providerExecuted === true) {
        const value = part.output.type === "execution-denied" ? part.output.reason : part.output.value;
        const type = form ?? `${part.toolName}_tool_result`;
        return {
          type,
          tool_use_id: part.toolCallId,
          content: value,
          ...common,
        };
      }
      return {
        type: "tool_result",
        tool_use_id: part.toolCallId,
        ...writeOutput(part.output, form),
        ...common,
      };
    case "file":
      return writeFile(part, common);
    case "opaque":
      return part.format === FORMAT && isRecord(part.value) ? part.value : undefined;
    default:
      return undefined;
  }
}

function writeOutput(output: ToolOutput, form: string | undefined): JsonRecord {
  const error = output.type.startsWith("error-") || output.type === "execution-denied" ? { is_error: true } : {};
  switch (output.type) {
    case "text":
    case "error-text":
      return form === "no-content" && output.value === "" ? error : { content: output.value, ...error };
    case "content":
      return { content: output.value.map(writeContentItem) };
    case "execution-denied":
      return { content: output.reason ?? "The call was denied.", ...error };
    default:
      return {
        content: Array.isArray(output.value) ? output.value : JSON.stringify(output.value),
        ...error,
      };
  }
}

function writeFile(part: FilePart, common: JsonRecord): JsonRecord | undefined {
  const type = formFor(FORMAT, part) ?? (isImage(part) ? "image" : "document");
  const inline = part.data.type === "url" ? splitDataUrl(part.data.url) : undefined;
  const source = inline
    ? { type: "base64", media_type: inline.mediaType, data: inline.base64 }
    : writeSource(part.data, part.mediaType);
  const known = isImage(part) || part.mediaType === "application/pdf" || part.mediaType.startsWith("text/");
  if (source === undefined || !known) return undefined;
  return omitUndefined({
    type,
    source,
    title: type === "document" ? part.filename : undefined,
    ...common,
  });
}

function writeSource(data: FileData, mediaType: string): JsonRecord | undefined {
  switch (data.type) {
    case "data":
      return {
        type: "base64",
        media_type: mediaType,
        data: toBase64(data.data),
      };
    case "text":
      return { type: "text", media_type: mediaType, data: data.text };
    case "url":
      return { type: "url", url: data.url };
    case "reference":
      return data.reference.anthropic === undefined ? undefined : { type: "file", file_id: data.reference.anthropic };
  }
}
