import { byteLength, fromBase64 } from "../../message/convert/base64.ts";
import { providerOption } from "../../message/convert/conversion.ts";
import { isImage } from "../../message/convert/file-data.ts";
import type { FileData, FilePart, ReasoningFilePart } from "../../message/part.ts";
import type { Counter } from "../../ports/counter.ts";
import { type ModelFamily, modelFamily } from "../model-family.ts";
import { imageDimensions } from "./image-dimensions.ts";
import { imageTokens } from "./image-tokens.ts";

/** Tokens per page of a document, as text and image. */
const PAGE_TOKENS: Readonly<Record<ModelFamily, number>> = {
  openai: 1_500,
  anthropic: 3_000,
  google: 258,
  other: 3_000,
};
/** Assumed number of pages for a remote document, and bytes per page for one whose pages cannot be counted. */
const UNKNOWN_PAGES = 10;
const BYTES_PER_PAGE = 50_000;
/** Tokens per second of audio and video, and typical bytes per second: 128 kbit/s, 16-bit mono, 2 Mbit/s. */
const AUDIO_TOKENS: Readonly<Record<ModelFamily, number>> = { openai: 10, anthropic: 32, google: 32, other: 32 };
const VIDEO_TOKENS = 300;
const BYTES_PER_SECOND = { compressed: 16_000, wav: 32_000, video: 250_000 };
const UNKNOWN_SECONDS = 60;
/** Fallback for files without a rule. */
const BYTES_PER_TOKEN = 3;

/** Counts the tokens of a file by the rules of the model's provider, otherwise by its size in bytes. */
export function fileTokens(part: FilePart | ReasoningFilePart, modelId: string, counter: Counter): number {
  const family = modelFamily(modelId);
  const { bytes: data, text = asText(part.mediaType, data) } = inlineData(part.data);
  if (text !== undefined) return counter.count(text);
  if (isImage(part))
    return imageTokens(data === undefined ? undefined : imageDimensions(data), family, modelId, isLowDetail(part));
  if (part.mediaType === "application/pdf") return pages(data) * PAGE_TOKENS[family];
  const bytes = data === undefined ? undefined : byteLength(data);
  const seconds = (rate: number) => (bytes === undefined ? UNKNOWN_SECONDS : Math.ceil(bytes / rate));
  if (part.mediaType.startsWith("audio")) {
    const rate = /wav|pcm/.test(part.mediaType) ? BYTES_PER_SECOND.wav : BYTES_PER_SECOND.compressed;
    return seconds(rate) * AUDIO_TOKENS[family];
  }
  if (part.mediaType.startsWith("video")) return seconds(BYTES_PER_SECOND.video) * VIDEO_TOKENS;
  return bytes === undefined ? UNKNOWN_PAGES * PAGE_TOKENS[family] : Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** Inline content of a file: bytes, or the text of a data URL that is not base64. */
function inlineData(data: FileData): { readonly bytes?: string | Uint8Array; readonly text?: string } {
  if (data.type === "text") return { text: data.text };
  if (data.type === "data") return { bytes: data.data };
  const head = data.type === "url" ? /^data:[^,]*,/i.exec(data.url)?.[0] : undefined;
  if (head === undefined || data.type !== "url") return {};
  const body = data.url.slice(head.length);
  return /;base64,$/i.test(head) ? { bytes: body } : { text: unescaped(body) };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Invalid percent encoding: count the raw text.
    return text;
  }
}

const TEXT_TYPES = /^text\b|[/+](json|xml|yaml|javascript|typescript|csv|markdown)$/;

function asText(mediaType: string, bytes: string | Uint8Array | undefined): string | undefined {
  if (bytes === undefined || !TEXT_TYPES.test(mediaType)) return undefined;
  const decoded = fromBase64(bytes);
  return decoded && new TextDecoder().decode(decoded);
}

/** Counts the page objects of a PDF. If they are compressed, estimates by size. */
function pages(data: string | Uint8Array | undefined): number {
  const bytes = data === undefined ? undefined : fromBase64(data);
  if (bytes === undefined) return UNKNOWN_PAGES;
  const found = new TextDecoder("latin1").decode(bytes).match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  return Math.max(1, found === 0 ? Math.ceil(bytes.length / BYTES_PER_PAGE) : found);
}

function isLowDetail(part: FilePart | ReasoningFilePart): boolean {
  return providerOption(part, "openai", "imageDetail") === "low";
}
