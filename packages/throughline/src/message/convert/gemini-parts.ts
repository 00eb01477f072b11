import {
  arrayField,
  isRecord,
  type JsonRecord,
  omitUndefined,
  otherFields,
  recordField,
  sameJson,
  stringField,
} from "../../internal/json.ts";
import type { FileData, FilePart, Part, PartDraft, ReasoningPart, ToolCallPart, ToolResultPart } from "../part.ts";
import { isErrorOutput, type ToolContentItem, type ToolOutput, toolOutputText } from "../tool-output.ts";
import { fieldsFor, foreignOf, formFor, optionsFor, providerOption, understood, withFields } from "./conversion.ts";
import { fullMediaType, splitDataUrl, toBase64 } from "./file-data.ts";
import { fileOf } from "./tool-content.ts";

const FORMAT = "gemini";
/** Provider name under which the AI SDK stores Gemini's options. */
const PROVIDER = "google";
/** Fields that define the kind of a part; each part has one of them. */
const CALL = "functionCall";
const RESPONSE = "functionResponse";
/** A response with files. */
const FILES = "files";
/** Response fields under which tools usually return text. */
const TEXT_FIELDS: readonly string[] = ["output", "result", "content"];

/** Numbers the calls of a conversation and finds the call of each response. Gemini may omit call ids. */
export interface GeminiCalls {
  call(name: string, id: string | undefined): string;
  response(name: string, id: string | undefined): string;
}

/** Reads one part. Parts of an unknown kind are kept unchanged. */
export function readGeminiPart(raw: JsonRecord, calls: GeminiCalls): PartDraft {
  return readKnownPart(raw, calls) ?? { type: "opaque", format: FORMAT, value: raw };
}

function readKnownPart(raw: JsonRecord, calls: GeminiCalls): PartDraft | undefined {
  const text = stringField(raw, "text");
  if (text !== undefined) return readText(raw, text);
  const call = recordField(raw, CALL);
  if (call !== undefined) return readCall(raw, call, calls);
  const response = recordField(raw, RESPONSE);
  if (response !== undefined) return readResponse(raw, response, calls);
  return readFile(raw);
}

function signatureOf(raw: JsonRecord): string | undefined {
  return stringField(raw, "thoughtSignature");
}

function readText(raw: JsonRecord, text: string): PartDraft {
  const thoughtSignature = signatureOf(raw);
  const isThought = raw.thought === true;
  const known = understood({ text, thoughtSignature, thought: isThought || undefined });
  return omitUndefined({
    type: isThought ? "reasoning" : "text",
    text,
    providerOptions: optionsFor(PROVIDER, { thoughtSignature }),
    foreign: foreignOf(FORMAT, raw, known),
  });
}

function readCall(raw: JsonRecord, call: JsonRecord, calls: GeminiCalls): PartDraft | undefined {
  const toolName = stringField(call, "name");
  if (toolName === undefined) return undefined;
  const thoughtSignature = signatureOf(raw);
  const inner = otherFields(call, understood({ name: toolName, args: call.args }));
  return omitUndefined({
    type: "tool-call",
    toolCallId: calls.call(toolName, stringField(call, "id")),
    toolName,
    input: call.args ?? {},
    providerOptions: optionsFor(PROVIDER, { thoughtSignature }),
    foreign: foreignOf(FORMAT, raw, understood({ [CALL]: true, thoughtSignature }), undefined, { [CALL]: inner }),
  });
}

function readResponse(raw: JsonRecord, response: JsonRecord, calls: GeminiCalls): PartDraft | undefined {
  const toolName = stringField(response, "name");
  if (toolName === undefined) return undefined;
  const said = readOutput(response.response ?? {});
  const files = readFiles(response);
  const text: ToolContentItem = { type: "text", text: toolOutputText(said.output) };
  const output: ToolOutput = files === undefined ? said.output : { type: "content", value: [text, ...files] };
  const inner = otherFields(response, files ? ["name", "parts"] : ["name", "response"]);
  return omitUndefined({
    type: "tool-result",
    toolCallId: calls.response(toolName, stringField(response, "id")),
    toolName,
    output,
    foreign: foreignOf(FORMAT, raw, [RESPONSE], files === undefined ? said.form : FILES, { [RESPONSE]: inner }),
  });
}

/** A single text field becomes text, everything else JSON. */
function readOutput(response: unknown): { output: ToolOutput; form?: string } {
  const [name = "", ...more] = isRecord(response) ? Object.keys(response) : [];
  const value = isRecord(response) && more.length === 0 ? response[name] : undefined;
  if (typeof value === "string" && name === "error") return { output: { type: "error-text", value } };
  if (typeof value === "string" && TEXT_FIELDS.includes(name)) return { output: { type: "text", value }, form: name };
  return { output: { type: "json", value: response } };
}

/** Reads the files of a response; `undefined` if there are none or if one of them is of an unknown kind. */
function readFiles(response: JsonRecord): readonly ToolContentItem[] | undefined {
  const files = arrayField(response, "parts")?.map((file) => (isRecord(file) ? readItem(file) : undefined));
  return files?.every((file) => file !== undefined) ? files : undefined;
}

/** Reads a file of a response, if it can be written back unchanged. */
function readItem(raw: JsonRecord): ToolContentItem | undefined {
  const inline = recordField(raw, "inlineData") ?? {};
  const data = stringField(inline, "data");
  const mediaType = stringField(inline, "mimeType");
  const isAll = sameJson(raw, { inlineData: { mimeType: mediaType, data } });
  return data === undefined || mediaType === undefined || !isAll ? undefined : { type: "file-data", data, mediaType };
}

function readFile(raw: JsonRecord): PartDraft | undefined {
  const field = raw.inlineData === undefined ? "fileData" : "inlineData";
  const file = recordField(raw, field);
  const value = file && stringField(file, field === "inlineData" ? "data" : "fileUri");
  if (file === undefined || value === undefined) return undefined;
  const mediaType = stringField(file, "mimeType");
  const filename = stringField(file, "displayName");
  const thoughtSignature = signatureOf(raw);
  const data: FileData = field === "inlineData" ? { type: "data", data: value } : { type: "url", url: value };
  const inner = otherFields(
    file,
    understood({ data: true, fileUri: true, mimeType: mediaType, displayName: filename }),
  );
  return omitUndefined({
    type: "file",
    mediaType: mediaType ?? "application/octet-stream",
    filename,
    data,
    providerOptions: optionsFor(PROVIDER, { thoughtSignature }),
    foreign: foreignOf(
      FORMAT,
      raw,
      understood({ [field]: true, thoughtSignature }),
      mediaType === undefined ? "untyped" : undefined,
      {
        [field]: inner,
      },
    ),
  });
}

/** Maps our call id to the id in Gemini's format; `undefined` if Gemini has none. */
export type GeminiIds = (toolCallId: string) => string | undefined;

/** Writes one part; `undefined` if Gemini has no equivalent. `own`: the part came from Gemini. */
export function writeGeminiPart(part: Part, own: boolean, ids: GeminiIds): JsonRecord | undefined {
  if (part.type === "opaque") return part.format === FORMAT && isRecord(part.value) ? part.value : undefined;
  const written = writeKnown(part, own, ids);
  if (written === undefined) return undefined;
  const {
    [CALL]: _call,
    [RESPONSE]: _response,
    inlineData: _inline,
    fileData: _file,
    ...fields
  } = fieldsFor(FORMAT, part);
  return withFields({ ...written, thoughtSignature: providerOption(part, PROVIDER, "thoughtSignature") }, fields);
}

function writeKnown(part: Part, own: boolean, ids: GeminiIds): JsonRecord | undefined {
  switch (part.type) {
    case "text":
      return { text: part.text };
    case "reasoning":
      return writeThought(part, own);
    case "file":
      return writeFile(part);
    case "tool-call":
      return part.providerExecuted === true ? undefined : { [CALL]: writeCall(part, ids) };
    case "tool-result":
      return part.providerExecuted === true ? undefined : { [RESPONSE]: writeResponse(part, ids) };
    default:
      return undefined;
  }
}

/** Thoughts are sent only to their source: other models cannot verify their signatures. */
function writeThought(part: ReasoningPart, own: boolean): JsonRecord | undefined {
  const isSigned = providerOption(part, PROVIDER, "thoughtSignature") !== undefined;
  return own || isSigned ? { text: part.text, thought: true } : undefined;
}

function innerOf(part: Part, field: string): JsonRecord {
  const inner = fieldsFor(FORMAT, part)[field];
  return isRecord(inner) ? inner : {};
}

function writeCall(part: ToolCallPart, ids: GeminiIds): JsonRecord {
  const known = { id: ids(part.toolCallId), name: part.toolName, args: part.input };
  const { id: _, ...inner } = innerOf(part, CALL);
  return withFields(known, inner);
}

function writeResponse(part: ToolResultPart, ids: GeminiIds): JsonRecord {
  const { id: _, ...inner } = innerOf(part, RESPONSE);
  return withFields({ id: ids(part.toolCallId), name: part.toolName, ...writeOutput(part) }, inner);
}

function writeOutput(part: ToolResultPart): JsonRecord {
  const { output } = part;
  const form = formFor(FORMAT, part);
  if (output.type === "content") return writeContent(output.value, form === FILES);
  if (isErrorOutput(output)) return { response: { error: toolOutputText(output) } };
  if (output.type === "json") return { response: isRecord(output.value) ? output.value : { output: output.value } };
  const field = form !== undefined && TEXT_FIELDS.includes(form) ? form : "output";
  return { response: { [field]: toolOutputText(output) } };
}

/** Gemini accepts some files with a response. Other files are named in the text. */
function writeContent(items: readonly ToolContentItem[], own: boolean): JsonRecord {
  const written = items.map((item) => {
    const file = item.type === "text" ? undefined : fileOf(item);
    return { item, file: file && writeFile({ ...file, id: "" }) };
  });
  const files = written.flatMap(({ file }) => file ?? []);
  const texts = written.flatMap(({ item, file }) => (file === undefined ? [item] : []));
  const response = { output: toolOutputText({ type: "content", value: texts }) };
  // The response itself is among the unread fields of a part that came from Gemini.
  return omitUndefined({ response: own ? undefined : response, parts: files.length === 0 ? undefined : files });
}

function writeFile(part: FilePart): JsonRecord | undefined {
  const { data, filename: displayName } = part;
  const inline = data.type === "url" ? splitDataUrl(data.url) : undefined;
  const mimeType = formFor(FORMAT, part) === "untyped" ? undefined : (inline?.mediaType ?? part.mediaType);
  const written = (field: string, value: JsonRecord) => ({
    [field]: withFields({ mimeType, ...value, displayName }, innerOf(part, field)),
  });
  switch (data.type) {
    case "url":
      return inline === undefined
        ? written("fileData", { fileUri: data.url })
        : written("inlineData", { data: inline.base64 });
    case "data":
      return written("inlineData", {
        mimeType: mimeType && fullMediaType(mimeType, data.data),
        data: toBase64(data.data),
      });
    case "text":
      return { text: data.text };
    case "reference":
      return data.reference.google === undefined ? undefined : written("fileData", { fileUri: data.reference.google });
  }
}
