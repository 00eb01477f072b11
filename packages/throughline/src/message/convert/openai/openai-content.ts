import {
  isRecord,
  type JsonRecord,
  omitUndefined,
  otherFields,
  recordField,
  sameJson,
  stringField,
  tryParseJson,
} from "../../../internal/json.ts";
import type { FilePart, ForeignFormat, Part, PartDraft } from "../../part.ts";
import { fieldsFor, foreignOf, formFor, providerOption, understood, withFields } from "../conversion.ts";
import { fullMediaType, isImage, splitDataUrl, toBase64 } from "../file-data.ts";

/** OpenAI's two APIs use different names for the same content. */
type Dialect = Extract<ForeignFormat, "openai-chat" | "openai-responses">;

type Body = Pick<FilePart, "mediaType" | "data" | "filename">;

/** The file data was plain base64, not a data URL. */
const BARE = "bare";
const PDF = "application/pdf";
const AUDIO_TYPES: ReadonlyMap<unknown, string> = new Map([
  ["wav", "audio/wav"],
  ["mp3", "audio/mpeg"],
]);

/** Reads one content part. Parts of an unknown kind are kept unchanged. */
export function readContentPart(raw: JsonRecord, format: Dialect): PartDraft {
  const known = format === "openai-chat" ? readChatPiece(raw) : readResponsesPiece(raw);
  return known ?? { type: "opaque", format, value: raw };
}

function readChatPiece(raw: JsonRecord): PartDraft | undefined {
  switch (raw.type) {
    case "text":
      return readText(raw, "openai-chat");
    case "image_url":
      return readNested(raw, "image_url", readNestedImage);
    case "file":
      return readNested(raw, "file", readFile);
    case "input_audio":
      return readNested(raw, "input_audio", readAudio);
    default:
      return undefined;
  }
}

function readResponsesPiece(raw: JsonRecord): PartDraft | undefined {
  switch (raw.type) {
    case "text":
    case "input_text":
    case "output_text":
      return readText(raw, "openai-responses", raw.type);
    case "input_image":
      return readFlat(raw, raw.type, readFlatImage);
    case "input_file":
      return readFlat(raw, raw.type, readFile);
    case "input_audio":
      return readNested(raw, "input_audio", readAudio, "openai-responses");
    default:
      return undefined;
  }
}

function readText(raw: JsonRecord, format: Dialect, form?: string): PartDraft | undefined {
  const text = stringField(raw, "text");
  if (text === undefined) return undefined;
  return omitUndefined({ type: "text", text, foreign: foreignOf(format, raw, ["type", "text"], form) });
}

/** A file, the fields it was read from, and a flag for plain base64. */
interface ReadBody {
  readonly body: Body & Pick<FilePart, "providerOptions">;
  readonly used: readonly string[];
  readonly bare?: boolean;
}

/** Chat completions hold the file in a nested object. */
function readNested(
  raw: JsonRecord,
  field: string,
  read: (body: JsonRecord) => ReadBody | undefined,
  format: Dialect = "openai-chat",
): PartDraft | undefined {
  const nested = recordField(raw, field);
  const found = nested && read(nested);
  if (nested === undefined || found === undefined) return undefined;
  const inner = { [field]: otherFields(nested, found.used) };
  const foreign = foreignOf(format, raw, ["type", field], found.bare ? `${field} ${BARE}` : field, inner);
  return omitUndefined({ type: "file", ...found.body, foreign });
}

function readFlat(
  raw: JsonRecord,
  type: string,
  read: (body: JsonRecord) => ReadBody | undefined,
): PartDraft | undefined {
  const found = read(raw);
  if (found === undefined) return undefined;
  const form = found.bare ? `${type} ${BARE}` : type;
  return omitUndefined({
    type: "file",
    ...found.body,
    foreign: foreignOf("openai-responses", raw, ["type", ...found.used], form),
  });
}

function readNestedImage(body: JsonRecord): ReadBody | undefined {
  return withDetail(body, readImageUrl(body, "url"));
}

function readFlatImage(body: JsonRecord): ReadBody | undefined {
  const id = stringField(body, "file_id");
  const referred = id === undefined ? undefined : { body: referenceTo(id, "image"), used: ["file_id"] };
  return withDetail(body, readImageUrl(body, "image_url") ?? referred);
}

function readImageUrl(body: JsonRecord, field: string): ReadBody | undefined {
  const url = stringField(body, field);
  if (url === undefined) return undefined;
  const inline = splitDataUrl(url);
  return inline && isImage(inline)
    ? { body: { mediaType: inline.mediaType, data: { type: "data", data: inline.base64 } }, used: [field] }
    : { body: { mediaType: "image", data: { type: "url", url } }, used: [field] };
}

/** Image detail level, at the location that the AI SDK expects. */
function withDetail(body: JsonRecord, read: ReadBody | undefined): ReadBody | undefined {
  const imageDetail = stringField(body, "detail");
  if (read === undefined || imageDetail === undefined) return read;
  return { body: { ...read.body, providerOptions: { openai: { imageDetail } } }, used: [...read.used, "detail"] };
}

function referenceTo(id: string, mediaType: string): Body {
  return { mediaType, data: { type: "reference", reference: { openai: id } } };
}

function readFile(body: JsonRecord): ReadBody | undefined {
  const used = ["file_data", "file_url", "file_id"].find((name) => typeof body[name] === "string");
  const value = used && stringField(body, used);
  if (used === undefined || value === undefined) return undefined;
  const filename = stringField(body, "filename");
  const named = (file: Body, bare = false): ReadBody => ({
    body: omitUndefined({ ...file, filename }),
    used: [used, ...understood({ filename })],
    bare,
  });
  if (used === "file_id") return named(referenceTo(value, PDF));
  const inline = splitDataUrl(value);
  if (used === "file_url") return inline ? undefined : named({ mediaType: PDF, data: { type: "url", url: value } });
  const bare = inline === undefined;
  return named({ mediaType: inline?.mediaType ?? PDF, data: { type: "data", data: inline?.base64 ?? value } }, bare);
}

function readAudio(body: JsonRecord): ReadBody | undefined {
  const data = stringField(body, "data");
  const mediaType = AUDIO_TYPES.get(body.format);
  if (data === undefined || mediaType === undefined) return undefined;
  return { body: { mediaType, data: { type: "data", data } }, used: ["data", "format"] };
}

/** Writes one content part; `undefined` if the API has no equivalent. */
export function writeContentPart(part: Part, format: Dialect, role: string): JsonRecord | undefined {
  switch (part.type) {
    case "text":
      return withFields({ type: textType(part, format, role), text: part.text }, fieldsFor(format, part));
    case "file":
      return writeFile(part, format);
    case "opaque":
      return part.format === format && isRecord(part.value) ? part.value : undefined;
    default:
      return undefined;
  }
}

function textType(part: Part, format: Dialect, role: string): string {
  if (format === "openai-chat") return "text";
  return formFor(format, part) ?? (role === "assistant" ? "output_text" : "input_text");
}

function writeFile(part: FilePart, format: Dialect): JsonRecord | undefined {
  const [form, bare] = formFor(format, part)?.split(" ") ?? [];
  const type = form ?? typeFor(part, format);
  const fields = fieldsFor(format, part);
  const body = type === undefined ? undefined : writeBody(part, type, form !== undefined, bare === BARE);
  if (type === undefined || body === undefined) return undefined;
  if (type === "input_image" || type === "input_file") return withFields({ type, ...body }, fields);
  // Unread fields of the nested object go back into it.
  const { [type]: inner, ...beside } = fields;
  return withFields({ type, [type]: isRecord(inner) ? withFields(body, inner) : omitUndefined(body) }, beside);
}

/** Content type for a file that came from another format. */
function typeFor(part: FilePart, format: Dialect): string | undefined {
  const chat = format === "openai-chat";
  const isRemote = part.data.type === "url" && splitDataUrl(part.data.url) === undefined;
  if (isImage(part) && !(chat && part.data.type === "reference")) return chat ? "image_url" : "input_image";
  if (audioFormat(part) !== undefined && part.data.type === "data") return "input_audio";
  if (chat) return isRemote ? undefined : "file";
  return "input_file";
}

function audioFormat({ mediaType }: FilePart): unknown {
  return [...AUDIO_TYPES].find(([, audio]) => audio === mediaType)?.[0];
}

function writeBody(part: FilePart, type: string, own: boolean, bare: boolean): JsonRecord | undefined {
  const { data, filename } = part;
  if (type === "input_audio") {
    return data.type === "data" ? { data: toBase64(data.data), format: audioFormat(part) } : undefined;
  }
  const isImagePiece = type === "image_url" || type === "input_image";
  const named = isImagePiece ? {} : { filename };
  const detail = isImagePiece ? providerOption(part, "openai", "imageDetail") : undefined;
  if (data.type === "reference") {
    const file_id = data.reference.openai;
    return file_id === undefined || type === "image_url" ? undefined : { ...named, file_id, detail };
  }
  const url = bare && data.type === "data" ? toBase64(data.data) : urlOf(part, own);
  if (isImagePiece) return { [type === "image_url" ? "url" : "image_url"]: url, detail };
  const isRemote = data.type === "url" && splitDataUrl(data.url) === undefined;
  return { ...named, [isRemote ? "file_url" : "file_data"]: url };
}

function urlOf({ data, mediaType }: FilePart, own: boolean): string | undefined {
  switch (data.type) {
    case "url":
      return data.url;
    case "data":
      return `data:${own ? mediaType : fullMediaType(mediaType, data.data)};base64,${toBase64(data.data)}`;
    case "text":
      return `data:${mediaType};base64,${toBase64(new TextEncoder().encode(data.text))}`;
    case "reference":
      return undefined;
  }
}

/** Maximum nesting: deeper than real arguments, and safe for recursion. */
const MAX_DEPTH = 500;

/** Arguments of a call, which OpenAI sends as JSON text. */
export interface ReadArguments {
  readonly input: unknown;
  /** Original text, if writing `input` would produce different text. */
  readonly verbatim?: string;
}

/**
 * Parses the arguments of a call. Empty text means no arguments. Text that is not JSON, or that is nested too deeply,
 * becomes the input itself.
 */
export function readArguments(text: string): ReadArguments {
  if (text.trim() === "") return { input: {}, verbatim: text };
  const parsed = tryParseJson(text);
  if (parsed === undefined || isDeeper(parsed.value, MAX_DEPTH)) return { input: text, verbatim: text };
  const input = parsed.value;
  return JSON.stringify(input) === text ? { input } : { input, verbatim: text };
}

/** Writes the arguments as JSON. Uses the original text while its value is unchanged. */
export function writeArguments(input: unknown, verbatim: unknown): string {
  const text = JSON.stringify(input) ?? "{}";
  if (typeof verbatim !== "string") return text;
  const { input: said } = readArguments(verbatim);
  return sameJson(said, input) || JSON.stringify(said) === text ? verbatim : text;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
