import type { Message, Part } from "throughline";
import { chatCopy } from "../copy/chat.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { asAttachment, attachmentName } from "./message-notes.ts";

/** A file to send with a message: its text, or a picture in base64. */
export type Attachment =
  | { readonly kind: "text"; readonly name: string; readonly text: string }
  | { readonly kind: "image"; readonly name: string; readonly mediaType: string; readonly data: string };

const { attachments: copy } = chatCopy;
const MAX_TEXT_BYTES = 1_000_000;
const MAX_IMAGE_BYTES = 8_000_000;
const IMAGES = /^image\/(?:png|jpeg|webp|gif)$/;
/** Names of model families that accept images. Model tables and most endpoints do not report it. */
const SEEING =
  /gpt-4o|gpt-4\.1|gpt-[5-9]|(?:^|[/.])o[134]\b|claude|gemini|gemma-?3|pixtral|llava|moondream|minicpm-v|(?<![a-z])vision|[-_\d]vl\d?\b|llama-?4|mistral-small-?3[.-][12]|mistral-medium-?3/i;
/** Models of these families that take text only. */
const BLIND =
  /(?:^|[/.])o(?:1-mini|1-preview|3-mini)|gpt-4o[\w-]*-(?:audio|realtime|search|transcribe|tts)|claude-(?:v?[12]\b|instant)|gemini-1[.-]0-pro(?!-vision)|gemma-?3(?:n|[-_:](?:1b|270m))/i;

/** Returns if a model takes images. */
export function takesImages(model: Pick<ChatModel, "modelId" | "place"> | undefined): boolean {
  if (model === undefined || model.place === "device") return false;
  return SEEING.test(model.modelId) && !BLIND.test(model.modelId);
}

/** Reads a file to attach it. Rejects with a message for the person if it cannot be sent. */
export async function readAttachment(file: File, model: ChatModel | undefined): Promise<Attachment> {
  const { name, type, size } = file;
  if (IMAGES.test(type)) {
    if (!takesImages(model)) {
      throw new Error(model === undefined ? copy.noModel : copy.noImages(model.label));
    }
    if (size > MAX_IMAGE_BYTES) throw new Error(copy.largeImage(name));
    return { kind: "image", name, mediaType: type, data: base64(new Uint8Array(await file.arrayBuffer())) };
  }
  if (size > MAX_TEXT_BYTES) throw new Error(copy.largeText(name));
  const text = decodeText(new Uint8Array(await file.arrayBuffer()));
  if (text === undefined) throw new Error(copy.notText(name));
  return { kind: "text", name, text };
}

/** Message parts of a file. Its text is marked as inserted, so it is cut before the person's own text. */
export function attachmentParts(attachments: readonly Attachment[], messageId: string): readonly Part[] {
  return attachments.map((one, at): Message["parts"][number] => {
    const base = { id: `${messageId}.file${at}`, ...asAttachment(one.name) };
    if (one.kind === "text") {
      return {
        ...base,
        type: "text",
        synthetic: true,
        text: headingOf(one.name) + one.text,
      };
    }
    const { name: filename, mediaType, data } = one;
    return { ...base, type: "file", mediaType, filename, data: { type: "data", data } };
  });
}

/** The files of a message, as they were attached. */
export function attachmentsOf({ parts }: Pick<Message, "parts">): readonly Attachment[] {
  return parts.flatMap((part): readonly Attachment[] => {
    const name = attachmentName(part);
    if (name === undefined) return [];
    if (part.type === "text") return [{ kind: "text", name, text: part.text.slice(headingOf(name).length) }];
    if (part.type !== "file" || part.data.type !== "data") return [];
    return [{ kind: "image", name, mediaType: part.mediaType, data: String(part.data.data) }];
  });
}

/** Address of an image for display. */
export function imageAddress({ mediaType, data }: { readonly mediaType: string; readonly data: string }): string {
  return `data:${mediaType};base64,${data}`;
}

function headingOf(name: string): string {
  return `[Attached file ${JSON.stringify(name)}]\n`;
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\u0000") ? undefined : text;
  } catch {
    return undefined;
  }
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(binary);
}
