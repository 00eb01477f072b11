import { isRecord, type JsonRecord, omitUndefined, otherFields, sameJson, stringField } from "../../internal/json.ts";
import type { FilePart, ForeignFormat, PartDraft, TextPart } from "../part.ts";
import { type ToolContentItem, type ToolOutput, toolOutputText } from "../tool-output.ts";
import { fieldsFor, isTyped, readProviderOptions } from "./conversion.ts";
import { isImage, readFileData } from "./file-data.ts";

type File = Pick<FilePart, "mediaType" | "filename" | "data">;
type Content = Extract<PartDraft, { type: "text" | "file" }>;

/** Reads and writes the content parts that messages and tool results of a provider share. */
export interface PieceForm {
  readonly format: ForeignFormat;
  read(piece: JsonRecord): PartDraft;
  write(part: TextPart | FilePart): JsonRecord | undefined;
}

/** The output could not be written back unchanged, so its raw value is kept. */
export const RAW = "raw";

/** Reads the content of a tool result: text, or a list of content items of the AI SDK. */
export function readToolContent(content: unknown, form: PieceForm): { output: ToolOutput; form?: typeof RAW } {
  if (typeof content === "string") return { output: { type: "text", value: content } };
  if (Array.isArray(content) && content.every(isTyped)) {
    const value = content.map((piece) => itemOf(form.read(piece), form.format) ?? piece);
    const isKept = sameJson(writeToolContent(value, form, true), content);
    if (isKept) return { output: { type: "content", value } };
  }
  return { output: { type: "json", value: content === undefined ? null : content }, form: RAW };
}

/**
 * Writes the items of an output. Items that the format cannot express are replaced with a text and reported to `lose`.
 */
export function writeToolContent(
  items: readonly ToolContentItem[],
  form: PieceForm,
  own: boolean,
  lose: (kind: string) => void = () => undefined,
): JsonRecord[] {
  return items.map((item) => {
    const part = partOf(item, form.format, own);
    const piece = part && form.write({ id: "", ...part });
    if (piece !== undefined) return piece;
    if (own) return item;
    lose(item.type);
    const text = toolOutputText({ type: "content", value: [item] });
    return form.write({ type: "text", id: "", text }) ?? { type: "text", text };
  });
}

/** Converts an item to a kind that AI SDK versions 6 and 7 both accept; `undefined` if there is none. */
export function portableItem(item: ToolContentItem): ToolContentItem | undefined {
  if (item.type === "text") return typeof item.text === "string" ? item : undefined;
  const file = fileOf(item);
  const portable = file && itemOfFile(file);
  return portable?.type === item.type ? item : portable;
}

function itemOf(part: PartDraft, format: ForeignFormat): ToolContentItem | undefined {
  const beside = omitUndefined({ providerOptions: part.providerOptions, ...fieldsFor(format, part) });
  if (part.type === "text") return { type: "text", text: part.text, ...beside };
  const item = part.type === "file" ? itemOfFile(part) : undefined;
  return item && { ...item, ...beside };
}

function itemOfFile({ data, mediaType, filename }: File): ToolContentItem | undefined {
  const image = isImage({ mediaType });
  if (data.type === "url")
    return image ? { type: "image-url", url: data.url } : { type: "file-url", url: data.url, mediaType };
  if (data.type !== "data" || typeof data.data !== "string") return undefined;
  const inline = { data: data.data, mediaType };
  return image ? { type: "image-data", ...inline } : omitUndefined({ type: "file-data", ...inline, filename });
}

const ITEM_FIELDS = ["type", "text", "data", "url", "mediaType", "filename", "fileId", "providerReference"];

function partOf(item: ToolContentItem, format: ForeignFormat, own: boolean): Content | undefined {
  const content = item.type === "text" ? textOf(item) : fileOf(item);
  if (content === undefined) return undefined;
  const fields = own ? otherFields(item, [...ITEM_FIELDS, "providerOptions"]) : undefined;
  const providerOptions = readProviderOptions(item.providerOptions);
  return { ...content, ...omitUndefined({ providerOptions, foreign: fields && { format, fields } }) };
}

function textOf(item: ToolContentItem): { type: "text"; text: string } | undefined {
  return typeof item.text === "string" ? { type: "text", text: item.text } : undefined;
}

/** Reads the file of an item, in any of the AI SDK's shapes. */
export function fileOf(item: ToolContentItem): (File & { type: "file" }) | undefined {
  const data = dataOf(item);
  if (data === undefined) return undefined;
  const kind = item.type.startsWith("image-") ? "image" : "application/octet-stream";
  return omitUndefined({
    type: "file",
    mediaType: stringField(item, "mediaType") ?? kind,
    filename: stringField(item, "filename"),
    data,
  });
}

function dataOf(item: ToolContentItem): FilePart["data"] | undefined {
  switch (item.type) {
    case "media":
    case "file-data":
    case "image-data":
      return typeof item.data === "string" && typeof item.mediaType === "string"
        ? { type: "data", data: item.data }
        : undefined;
    case "file-url":
    case "image-url":
      return typeof item.url === "string" ? { type: "url", url: item.url } : undefined;
    case "file":
      return readFileData(item.data)?.data;
    case "file-id":
    case "image-file-id":
      return isRecord(item.fileId) ? readFileData(item.fileId)?.data : undefined;
    case "file-reference":
    case "image-file-reference":
      return isRecord(item.providerReference) ? readFileData(item.providerReference)?.data : undefined;
    default:
      return undefined;
  }
}
