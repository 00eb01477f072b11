import type { FilePart, ForeignFormat, Part, PartDraft } from "../part.ts";
import { isRecord, type JsonRecord, omitUndefined, otherFields, recordField, stringField } from "../read-json.ts";
import { toBase64 } from "./base64.ts";
import { fieldsFor, foreignOf, formFor } from "./conversion.ts";
import { isImage, splitDataUrl } from "./file-data.ts";

/** The two dialects of OpenAI name the same contents differently. */
type Dialect = Extract<ForeignFormat, "openai-chat" | "openai-responses">;

const AUDIO_TYPES: Readonly<Record<string, string>> = {
  wav: "audio/wav",
  mp3: "audio/mpeg",
};

/** Reads one piece of a message's content; a kind that we do not know is carried as it is. */
export function readContentPart(raw: JsonRecord, format: Dialect): PartDraft {
  const known = readText(raw, format) ?? readImage(raw, format) ?? readFile(raw, format) ?? readAudio(raw, format);
  return known ?? { type: "opaque", format, value: raw };
}

function readText(raw: JsonRecord, format: Dialect): PartDraft | undefined {
  const text = stringField(raw, "text");
  const form = String(raw.type);
  if (!["text", "input_text", "output_text"].includes(form) || text === undefined) return undefined;
  const foreign = foreignOf(format, raw, ["type", "text"], format === "openai-chat" ? undefined : form);
  return omitUndefined({ type: "text", text, foreign });
}

function readImage(raw: JsonRecord, format: Dialect): PartDraft | undefined {
  const nested = recordField(raw, "image_url");
  const url = nested ? stringField(nested, "url") : stringField(raw, "image_url");
  if ((raw.type !== "image_url" && raw.type !== "input_image") || url === undefined) return undefined;
  const inner = nested && otherFields(nested, ["url"]);
  const foreign = foreignOf(format, inner ? { ...raw, inner } : raw, ["type", "image_url"]);
  return omitUndefined({ type: "file", ...fromUrl(url, "image"), foreign });
}

function fromUrl(url: string, mediaType: string): Pick<FilePart, "mediaType" | "data"> {
  const inline = splitDataUrl(url);
  return inline
    ? {
        mediaType: inline.mediaType,
        data: { type: "data", data: inline.base64 },
      }
    : { mediaType, data: { type: "url", url } };
}

function readFile(raw: JsonRecord, format: Dialect): PartDraft | undefined {
  const body = raw.type === "file" ? recordField(raw, "file") : raw.type === "input_file" ? raw : undefined;
  if (body === undefined) return undefined;
  const inline = stringField(body, "file_data");
  const url = stringField(body, "file_url");
  const id = stringField(body, "file_id");
  const found = inline ?? url;
  const source: Pick<FilePart, "mediaType" | "data"> | undefined =
    found !== undefined
      ? fromUrl(found, "application/pdf")
      : id === undefined
        ? undefined
        : {
            mediaType: "application/pdf",
            data: { type: "reference", reference: { openai: id } },
          };
  if (source === undefined) return undefined;
  const used = inline !== undefined ? "file_data" : url !== undefined ? "file_url" : "file_id";
  const inner = raw.type === "file" ? otherFields(body, ["filename", used]) : undefined;
  const foreign = foreignOf(format, inner ? { ...raw, inner } : raw, ["type", "file", "filename", used]);
  return omitUndefined({
    type: "file",
    ...source,
    filename: stringField(body, "filename"),
    foreign,
  });
}

function readAudio(raw: JsonRecord, format: Dialect): PartDraft | undefined {
  const body = raw.type === "input_audio" ? recordField(raw, "input_audio") : undefined;
  const data = body && stringField(body, "data");
  const mediaType = body && AUDIO_TYPES[String(body.format)];
  if (body === undefined || data === undefined || mediaType === undefined) return undefined;
  const inner = otherFields(body, ["data", "format"]);
  const foreign = foreignOf(format, inner ? { ...raw, inner } : raw, ["type", "input_audio"]);
  return omitUndefined({
    type: "file",
    mediaType,
    data: { type: "data", data },
    foreign,
  });
}

/** One piece of a message's content, or `undefined` where the dialect has no place for the part. */
export function writeContentPart(part: Part, format: Dialect, role: string): JsonRecord | undefined {
  switch (part.type) {
    case "text":
      return {
        type: textType(part, format, role),
        text: part.text,
        ...fieldsFor(format, part),
      };
    case "compaction-marker":
      return { type: textType(part, format, role), text: part.summary };
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
  const chat = format === "openai-chat";
  // What stood inside the nested object goes back inside it.
  const { inner, ...fields } = fieldsFor(format, part);
  const nested = isRecord(inner) ? inner : {};
  const url = urlOf(part);
  const fileId = part.data.type === "reference" ? part.data.reference.openai : undefined;
  if (isImage(part) && url !== undefined) {
    return chat
      ? { type: "image_url", image_url: { url, ...nested }, ...fields }
      : { type: "input_image", image_url: url, ...fields };
  }
  const audio = Object.entries(AUDIO_TYPES).find(([, mediaType]) => mediaType === part.mediaType)?.[0];
  if (audio !== undefined && part.data.type === "data") {
    return {
      type: "input_audio",
      input_audio: { data: toBase64(part.data.data), format: audio, ...nested },
      ...fields,
    };
  }
  const remote = part.data.type === "url" && splitDataUrl(part.data.url) === undefined;
  if ((url === undefined && fileId === undefined) || (remote && chat)) return undefined;
  const source = fileId !== undefined ? { file_id: fileId } : remote ? { file_url: url } : { file_data: url };
  const body = omitUndefined({ filename: part.filename, ...source, ...nested });
  return chat ? { type: "file", file: body, ...fields } : { type: "input_file", ...body, ...fields };
}

function urlOf({ data, mediaType }: FilePart): string | undefined {
  switch (data.type) {
    case "url":
      return data.url;
    case "data":
      return `data:${mediaType};base64,${toBase64(data.data)}`;
    case "text":
      return `data:${mediaType};base64,${toBase64(new TextEncoder().encode(data.text))}`;
    case "reference":
      return undefined;
  }
}
