import type { FileData } from "../part.ts";
import { isRecord } from "../read-json.ts";

/** Where the data of a file stood, in which of the forms that mean the same. */
export interface ReadFileData {
  readonly data: FileData;
  readonly form?: "url-object" | "tagged" | "tagged-url-object";
}

/** Reads the data of a file as the AI SDK writes it: bytes, base64, a URL, or one of the tagged shapes of version 7. */
export function readFileData(value: unknown): ReadFileData | undefined {
  if (typeof value === "string") return { data: fromString(value) };
  if (value instanceof Uint8Array) return { data: { type: "data", data: value } };
  if (value instanceof ArrayBuffer) return { data: { type: "data", data: new Uint8Array(value) } };
  if (value instanceof URL) return { data: { type: "url", url: value.href }, form: "url-object" };
  if (!isRecord(value)) return undefined;
  return typeof value.type === "string" ? readTagged(value.type, value) : readReference(value);
}

function readTagged(type: string, value: Readonly<Record<string, unknown>>): ReadFileData | undefined {
  const form = "tagged";
  if (type === "text" && typeof value.text === "string") return { data: { type, text: value.text }, form };
  if (type === "reference" && isRecord(value.reference)) {
    const reference = readReference(value.reference);
    return reference && { ...reference, form };
  }
  if (type === "url" && typeof value.url === "string") return { data: { type, url: value.url }, form };
  if (type === "url" && value.url instanceof URL) {
    return { data: { type, url: value.url.href }, form: "tagged-url-object" };
  }
  if (type !== "data") return undefined;
  if (typeof value.data === "string") return { data: { type, data: value.data }, form };
  const inner = readFileData(value.data);
  return inner?.data.type === "data" ? { data: inner.data, form } : undefined;
}

function readReference(value: Readonly<Record<string, unknown>>): ReadFileData | undefined {
  const entries = Object.entries(value);
  if (entries.length === 0 || !entries.every(([, id]) => typeof id === "string")) return undefined;
  return {
    data: { type: "reference", reference: value as Record<string, string> },
  };
}

function fromString(value: string): FileData {
  return /^(https?|data|gs|s3|file):/i.test(value) ? { type: "url", url: value } : { type: "data", data: value };
}

/** The data of a file for the AI SDK; without a form that versions 6 and 7 both take, where there is one. */
export function writeFileData(data: FileData, form: string | undefined): unknown {
  if (form === "tagged") return data;
  if (form === "tagged-url-object" && data.type === "url") return { type: "url", url: new URL(data.url) };
  if (form === "url-object" && data.type === "url") return new URL(data.url);
  switch (data.type) {
    case "data":
      return data.data;
    case "url":
      return data.url;
    case "reference":
      return data.reference;
    case "text":
      return new TextEncoder().encode(data.text);
  }
}

/** `data:image/png;base64,…` split in two, or `undefined` for any other URL. */
export function splitDataUrl(url: string): { readonly mediaType: string; readonly base64: string } | undefined {
  const comma = url.indexOf(",");
  if (!url.startsWith("data:") || comma < 0) return undefined;
  const head = url.slice("data:".length, comma);
  if (!head.endsWith(";base64")) return undefined;
  return {
    mediaType: head.slice(0, -";base64".length) || "text/plain",
    base64: url.slice(comma + 1),
  };
}

export function isImage(part: { readonly mediaType: string }): boolean {
  return part.mediaType === "image" || part.mediaType.startsWith("image/");
}
