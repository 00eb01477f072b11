import { arrayField, isRecord, type JsonRecord, omitUndefined, recordField, stringField } from "../../internal/json.ts";
import type { Foreign, PartDraft, ProviderOptions } from "../../message/part.ts";
import type { ToolContentItem, ToolOutput } from "../../message/tool-output.ts";
import { readTime } from "../read-time.ts";

const FORMAT = "opencode";

/** An OpenCode part: a call and its result in one. */
export interface ReadPart {
  readonly said: readonly PartDraft[];
  readonly answered: readonly PartDraft[];
}

export function readPart(raw: JsonRecord): ReadPart {
  const tool = raw.type === "tool" ? readTool(raw) : undefined;
  return tool ?? { said: [readSaid(raw)], answered: [] };
}

function readSaid(raw: JsonRecord): PartDraft {
  const text = stringField(raw, "text");
  const url = stringField(raw, "url");
  const mediaType = stringField(raw, "mime");
  const metadata = readMetadata(raw);
  if (raw.type === "text" && text !== undefined) {
    return omitUndefined({ type: "text", text, synthetic: raw.synthetic === true || undefined, ...metadata });
  }
  if (raw.type === "reasoning" && text !== undefined) return { type: "reasoning", text, ...metadata };
  if (raw.type === "step-start") return { type: "step-start" };
  if (raw.type === "file" && url !== undefined && mediaType !== undefined) {
    return omitUndefined({
      type: "file",
      mediaType,
      filename: stringField(raw, "filename"),
      data: { type: "url", url },
    });
  }
  return { type: "opaque", format: FORMAT, value: raw };
}

function readTool(raw: JsonRecord): ReadPart | undefined {
  const toolCallId = stringField(raw, "callID");
  const toolName = stringField(raw, "tool");
  const state = recordField(raw, "state");
  if (toolCallId === undefined || toolName === undefined || state === undefined) return undefined;
  const call: PartDraft = { type: "tool-call", toolCallId, toolName, input: state.input ?? {}, ...readMetadata(raw) };
  const output = readOutput(state);
  if (output === undefined) return { said: [call], answered: [] };
  const compactedAt = readTime(recordField(state, "time")?.compacted);
  return {
    said: [call],
    answered: [omitUndefined({ type: "tool-result", toolCallId, toolName, output, compactedAt })],
  };
}

/** Metadata is provider options if it has one record per provider; otherwise it is kept unchanged. */
function readMetadata({ metadata }: JsonRecord): { providerOptions?: ProviderOptions; foreign?: Foreign } {
  if (metadata === undefined) return {};
  const isForProviders = isRecord(metadata) && Object.values(metadata).every(isRecord);
  return isForProviders
    ? { providerOptions: metadata as ProviderOptions }
    : { foreign: { format: FORMAT, fields: { metadata } } };
}

/** A call may stay `pending` or `running` forever; it then has no result. */
function readOutput(state: JsonRecord): ToolOutput | undefined {
  const files = arrayField(state, "attachments") ?? [];
  if (state.status === "completed") {
    const text = stringField(state, "output") ?? "";
    if (files.length === 0) return { type: "text", value: text };
    return { type: "content", value: [{ type: "text", text }, ...files.map(readAttachment)] };
  }
  if (state.status === "error") return { type: "error-text", value: stringField(state, "error") ?? "The tool failed." };
  return undefined;
}

/** Converts a file in a result to the AI SDK's form. OpenCode writes the data into the URL. */
function readAttachment(raw: unknown): ToolContentItem {
  const url = isRecord(raw) ? stringField(raw, "url") : undefined;
  const mediaType = isRecord(raw) ? stringField(raw, "mime") : undefined;
  if (!isRecord(raw) || url === undefined || mediaType === undefined) return { type: "custom", value: raw };
  const kind = mediaType.startsWith("image/") ? "image" : "file";
  const data = /^data:[^,]*;base64,(?<data>.*)$/s.exec(url)?.groups?.data;
  if (data === undefined) return kind === "image" ? { type: "image-url", url } : { type: "file-url", url, mediaType };
  const filename = kind === "file" ? stringField(raw, "filename") : undefined;
  return omitUndefined({ type: `${kind}-data`, data, mediaType, filename });
}
