import type { FilePart, Foreign, Part, PartDraft, ReasoningFilePart } from "../part.ts";
import { booleanField, isRecord, type JsonRecord, omitUndefined, stringField } from "../read-json.ts";
import { type ToolOutput, toToolOutput } from "../tool-output.ts";
import { fieldsFor, foreignOf, formFor, readProviderOptions } from "./conversion.ts";
import { readFileData, writeFileData } from "./file-data.ts";

const FORMAT = "ai-sdk";

type PartReader = (raw: JsonRecord) => PartDraft | undefined;

const READERS: Readonly<Record<string, PartReader>> = {
  text: (raw) => readText(raw, "text"),
  reasoning: (raw) => readText(raw, "reasoning"),
  file: (raw) => readFile(raw, "data"),
  "reasoning-file": (raw) => readFile(raw, "data"),
  image: (raw) => readFile(raw, "image"),
  "tool-call": readToolCall,
  "tool-result": readToolResult,
  "tool-approval-request": readApprovalRequest,
  "tool-approval-response": readApprovalResponse,
};

/** Reads one part. A kind that we do not know, or one that lacks what its kind needs, is carried as it is. */
export function readPart(raw: JsonRecord): PartDraft {
  const reader = Object.hasOwn(READERS, String(raw.type)) ? READERS[String(raw.type)] : undefined;
  return reader?.(raw) ?? { type: "opaque", format: FORMAT, value: raw };
}

function rest(raw: JsonRecord, understood: readonly string[], form?: string): Foreign | undefined {
  return foreignOf(FORMAT, raw, ["type", "providerOptions", ...understood], form);
}

function readText(raw: JsonRecord, type: "text" | "reasoning"): PartDraft | undefined {
  const text = stringField(raw, "text");
  if (text === undefined) return undefined;
  const providerOptions = readProviderOptions(raw.providerOptions);
  return omitUndefined({
    type,
    text,
    providerOptions,
    foreign: rest(raw, ["text"]),
  });
}

function readFile(raw: JsonRecord, field: "data" | "image"): PartDraft | undefined {
  const read = readFileData(raw[field]);
  const mediaType = stringField(raw, "mediaType") ?? (field === "image" ? "image" : undefined);
  if (read === undefined || mediaType === undefined) return undefined;
  const form = [field === "image" ? field : undefined, read.form].filter(Boolean).join(" ");
  const common = omitUndefined({
    mediaType,
    data: read.data,
    providerOptions: readProviderOptions(raw.providerOptions),
    foreign: rest(raw, ["mediaType", "filename", field], form === "" ? undefined : form),
  });
  if (raw.type === "reasoning-file") return { type: raw.type, ...common };
  return omitUndefined({
    type: "file",
    filename: stringField(raw, "filename"),
    ...common,
  });
}

/** Before version 5 the input was called `args`. */
function readToolCall(raw: JsonRecord): PartDraft | undefined {
  const toolCallId = stringField(raw, "toolCallId");
  const toolName = stringField(raw, "toolName");
  if (toolCallId === undefined || toolName === undefined) return undefined;
  const input = "input" in raw ? "input" : "args";
  return omitUndefined({
    type: "tool-call",
    toolCallId,
    toolName,
    input: raw[input] === undefined ? {} : raw[input],
    providerExecuted: booleanField(raw, "providerExecuted"),
    providerOptions: readProviderOptions(raw.providerOptions),
    foreign: rest(raw, ["toolCallId", "toolName", "providerExecuted", input]),
  });
}

/** Before version 5 the output was called `result` and was any value. */
function readToolResult(raw: JsonRecord): PartDraft | undefined {
  const toolCallId = stringField(raw, "toolCallId");
  const toolName = stringField(raw, "toolName");
  if (toolCallId === undefined || toolName === undefined) return undefined;
  const output = "output" in raw ? "output" : "result";
  return omitUndefined({
    type: "tool-result",
    toolCallId,
    toolName,
    output: toToolOutput(raw[output]),
    providerOptions: readProviderOptions(raw.providerOptions),
    foreign: rest(raw, ["toolCallId", "toolName", output]),
  });
}

function readApprovalRequest(raw: JsonRecord): PartDraft | undefined {
  const approvalId = stringField(raw, "approvalId");
  const toolCallId = stringField(raw, "toolCallId");
  if (approvalId === undefined || toolCallId === undefined) return undefined;
  const providerOptions = readProviderOptions(raw.providerOptions);
  const foreign = rest(raw, ["approvalId", "toolCallId"]);
  return omitUndefined({
    type: "tool-approval-request",
    approvalId,
    toolCallId,
    providerOptions,
    foreign,
  });
}

function readApprovalResponse(raw: JsonRecord): PartDraft | undefined {
  const approvalId = stringField(raw, "approvalId");
  const approved = booleanField(raw, "approved");
  if (approvalId === undefined || approved === undefined) return undefined;
  return omitUndefined({
    type: "tool-approval-response",
    approvalId,
    approved,
    reason: stringField(raw, "reason"),
    providerExecuted: booleanField(raw, "providerExecuted"),
    providerOptions: readProviderOptions(raw.providerOptions),
    foreign: rest(raw, ["approvalId", "approved", "reason", "providerExecuted"]),
  });
}

/** One part for the AI SDK, or `undefined` where it has no place for it. */
export function writePart(part: Part): JsonRecord | undefined {
  const { providerOptions } = part;
  const fields = fieldsFor(FORMAT, part);
  switch (part.type) {
    case "text":
    case "reasoning":
      return omitUndefined({
        type: part.type,
        text: part.text,
        providerOptions,
        ...fields,
      });
    case "file":
    case "reasoning-file":
      return writeFile(part);
    case "tool-call": {
      const { type, toolCallId, toolName, input, providerExecuted } = part;
      return omitUndefined({
        type,
        toolCallId,
        toolName,
        input,
        providerExecuted,
        providerOptions,
        ...fields,
      });
    }
    case "tool-result": {
      const { type, toolCallId, toolName } = part;
      const output = writeOutput(part.output);
      return omitUndefined({
        type,
        toolCallId,
        toolName,
        output,
        providerOptions,
        ...fields,
      });
    }
    case "tool-approval-request": {
      const { type, approvalId, toolCallId } = part;
      return omitUndefined({
        type,
        approvalId,
        toolCallId,
        providerOptions,
        ...fields,
      });
    }
    case "tool-approval-response": {
      const { type, approvalId, approved, reason, providerExecuted } = part;
      return omitUndefined({
        type,
        approvalId,
        approved,
        reason,
        providerExecuted,
        providerOptions,
        ...fields,
      });
    }
    case "compaction-marker":
      return { type: "text", text: part.summary };
    case "opaque":
      return part.format === FORMAT && isRecord(part.value) ? part.value : undefined;
    case "step-start":
      return undefined;
  }
}

/** The kinds of content that a tool output may have in the AI SDK, versions 6 and 7 together. */
const CONTENT_KINDS: ReadonlySet<string> = new Set([
  "text",
  "media",
  "file",
  "file-data",
  "file-url",
  "file-id",
  "file-reference",
  "image-data",
  "image-url",
  "image-file-id",
  "image-file-reference",
  "custom",
]);

/** Content of a kind that only another provider has is written out, so that the SDK does not refuse the message. */
function writeOutput(output: ToolOutput): ToolOutput {
  if (output.type !== "content" || output.value.every((item) => CONTENT_KINDS.has(item.type))) return output;
  const value = output.value.map((item) =>
    CONTENT_KINDS.has(item.type) ? item : { type: "text", text: JSON.stringify(item) },
  );
  return { ...output, value };
}

function writeFile(part: FilePart | ReasoningFilePart): JsonRecord {
  const forms = formFor(FORMAT, part)?.split(" ") ?? [];
  const dataForm = forms.find((form) => form !== "image");
  const data = writeFileData(part.data, dataForm);
  const { type, mediaType, providerOptions } = part;
  const fields = fieldsFor(FORMAT, part);
  if (forms.includes("image")) {
    const known = mediaType === "image" ? undefined : mediaType;
    return omitUndefined({
      type: "image",
      image: data,
      mediaType: known,
      providerOptions,
      ...fields,
    });
  }
  const filename = part.type === "file" ? part.filename : undefined;
  return omitUndefined({
    type,
    data,
    mediaType,
    filename,
    providerOptions,
    ...fields,
  });
}
