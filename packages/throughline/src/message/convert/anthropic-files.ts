import {
  isRecord,
  type JsonRecord,
  omitUndefined,
  otherFields,
  recordField,
  stringField,
} from "../../internal/json.ts";
import type { FileData, FilePart, PartDraft } from "../part.ts";
import { fieldsFor, foreignOf, formFor, optionsFor, understood } from "./conversion.ts";
import { decodeText, fullMediaType, isImage, splitDataUrl, toBase64 } from "./file-data.ts";

const FORMAT = "anthropic";

/** Reads an `image` or `document` block; `undefined` if its source is of an unknown kind. */
export function readFileBlock(raw: JsonRecord): PartDraft | undefined {
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
export function writeFileBlock(part: FilePart): JsonRecord | undefined {
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
