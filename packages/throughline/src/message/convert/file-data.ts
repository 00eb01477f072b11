import { isRecord, type JsonRecord, otherFields } from "../../internal/json.ts";
import type { FileData } from "../part.ts";

/** File data and the original shape of equivalent forms. */
interface ReadFileData {
  readonly data: FileData;
  readonly forms: readonly FileDataForm[];
  /** Unread fields of a tagged shape. */
  readonly rest?: JsonRecord | undefined;
}

type FileDataForm = "tagged" | "url-object" | "array-buffer";

/** Reads file data of the AI SDK: bytes, base64, a URL, or a tagged shape of version 7. */
export function readFileData(value: unknown): ReadFileData | undefined {
  if (typeof value === "string") {
    const isUrl = /^(https?|data|gs|s3|file):/i.test(value);
    return { data: isUrl ? { type: "url", url: value } : { type: "data", data: value }, forms: [] };
  }
  const bytes = readBytes(value) ?? readUrl(value);
  if (bytes !== undefined || !isRecord(value)) return bytes;
  return typeof value.type === "string" ? readTagged(value.type, value) : readReference(value);
}

function readBytes(value: unknown): ReadFileData | undefined {
  if (value instanceof Uint8Array) return { data: { type: "data", data: value }, forms: [] };
  if (!(value instanceof ArrayBuffer)) return undefined;
  return { data: { type: "data", data: new Uint8Array(value) }, forms: ["array-buffer"] };
}

function readUrl(value: unknown): ReadFileData | undefined {
  return value instanceof URL ? { data: { type: "url", url: value.href }, forms: ["url-object"] } : undefined;
}

function readTagged(type: string, value: JsonRecord): ReadFileData | undefined {
  const inside = readTaggedValue(type, value[type]);
  if (inside === undefined) return undefined;
  return { data: inside.data, forms: ["tagged", ...inside.forms], rest: otherFields(value, ["type", type]) };
}

/** A tagged shape holds its value under the name of its type. */
function readTaggedValue(type: string, value: unknown): ReadFileData | undefined {
  if (type === "data") return typeof value === "string" ? { data: { type, data: value }, forms: [] } : readBytes(value);
  if (type === "url") return typeof value === "string" ? { data: { type, url: value }, forms: [] } : readUrl(value);
  if (type === "text" && typeof value === "string") return { data: { type, text: value }, forms: [] };
  return type === "reference" && isRecord(value) ? readReference(value) : undefined;
}

function readReference(value: JsonRecord): ReadFileData | undefined {
  const ids = Object.values(value);
  if (ids.length === 0 || !ids.every((id) => typeof id === "string")) return undefined;
  return { data: { type: "reference", reference: value as Record<string, string> }, forms: [] };
}

/**
 * Writes file data for the AI SDK. Without an original form it uses one that versions 6 and 7 both accept, if there is
 * one.
 */
export function writeFileData(data: FileData, forms: readonly string[], rest: JsonRecord = {}): unknown {
  const value = writeValue(data, forms);
  if (forms.includes("tagged")) return { type: data.type, [data.type]: value, ...rest };
  return data.type === "text" ? new TextEncoder().encode(data.text) : value;
}

function writeValue(data: FileData, forms: readonly string[]): unknown {
  switch (data.type) {
    case "data":
      return forms.includes("array-buffer") ? toArrayBuffer(data.data) : data.data;
    case "url":
      return forms.includes("url-object") ? new URL(data.url) : data.url;
    case "reference":
      return data.reference;
    case "text":
      return data.text;
  }
}

function toArrayBuffer(data: string | Uint8Array): unknown {
  return typeof data === "string" ? data : data.slice().buffer;
}

/** Splits `data:image/png;base64,…`; `undefined` for other URLs. */
export function splitDataUrl(url: string): { readonly mediaType: string; readonly base64: string } | undefined {
  const comma = url.indexOf(",");
  if (!url.startsWith("data:") || comma < 0) return undefined;
  const head = url.slice("data:".length, comma);
  const mediaType = head.endsWith(";base64") ? head.slice(0, -";base64".length) : "";
  return mediaType === "" ? undefined : { mediaType, base64: url.slice(comma + 1) };
}

/** Base64 prefixes of image formats. */
const IMAGE_HEADS: readonly (readonly [head: string, mediaType: string])[] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
];

/** Media type of inline data. The type of an unspecified image is detected from its first bytes. */
export function fullMediaType(mediaType: string, data: string | Uint8Array): string {
  if (mediaType !== "image" && mediaType !== "image/*") return mediaType;
  const head = toBase64(typeof data === "string" ? data : data.subarray(0, 12));
  return IMAGE_HEADS.find(([start]) => head.startsWith(start))?.[1] ?? "image/jpeg";
}

export function isImage(part: { readonly mediaType: string }): boolean {
  return part.mediaType === "image" || part.mediaType.startsWith("image/");
}

const CHUNK = 0x8000;

/** Encodes bytes as base64. A string is base64 already and is returned as it is. */
export function toBase64(data: string | Uint8Array): string {
  if (typeof data === "string") return data;
  let binary = "";
  for (let start = 0; start < data.length; start += CHUNK) {
    binary += String.fromCharCode(...data.subarray(start, start + CHUNK));
  }
  return btoa(binary);
}

/** Decodes the first bytes of base64 data, e.g. to read a header; `undefined` if it is not base64. */
export function headBytes(data: string | Uint8Array, count: number): Uint8Array | undefined {
  // Base64 can only be decoded in groups of four characters.
  return typeof data === "string" ? fromBase64(data.slice(0, Math.ceil(count / 3) * 4)) : data.subarray(0, count);
}

/** Decodes base64 data; `undefined` if it is not base64. */
export function fromBase64(data: string | Uint8Array): Uint8Array | undefined {
  if (typeof data !== "string") return data;
  try {
    return Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Returns the number of bytes without decoding them. */
export function byteLength(data: string | Uint8Array): number {
  return typeof data === "string" ? Math.floor((data.length * 3) / 4) : data.length;
}

/** Decodes base64 data or bytes to text; `undefined` if it is not base64. */
export function decodeText(data: string | Uint8Array): string | undefined {
  const bytes = fromBase64(data);
  return bytes && new TextDecoder().decode(bytes);
}
