import { byteLength, fromBase64 } from "../../message/convert/base64.ts";
import { providerOption } from "../../message/convert/conversion.ts";
import { isImage, splitDataUrl } from "../../message/convert/file-data.ts";
import type { FileData, FilePart, ReasoningFilePart } from "../../message/part.ts";
import type { Counter } from "../../ports/counter.ts";
import { type ModelFamily, modelFamily } from "../model-family.ts";
import { imageDimensions } from "./image-dimensions.ts";
import { imageTokens } from "./image-tokens.ts";

/** A page of a document, as text and as picture. */
const PAGE_TOKENS: Readonly<Record<ModelFamily, number>> = {
  openai: 1_500,
  anthropic: 3_000,
  google: 258,
  other: 3_000,
};
/** A document that lies elsewhere is taken for one of this many pages, and one whose pages are hidden by its size. */
const UNKNOWN_PAGES = 10;
const BYTES_PER_PAGE = 50_000;
/** A second of sound or film, and how many bytes that usually is: 128 kbit/s, 16-bit mono, 2 Mbit/s. */
const SOUND_TOKENS: Readonly<Record<ModelFamily, number>> = { openai: 10, anthropic: 32, google: 32, other: 32 };
const FILM_TOKENS = 300;
const BYTES_PER_SECOND = { compressed: 16_000, wav: 32_000, film: 250_000 };
const UNKNOWN_SECONDS = 60;
/** Bytes that no rule covers. */
const BYTES_PER_TOKEN = 3;

/** Tokens of a file by the rules of the model's provider, and by its bytes where there is no rule. */
export function fileTokens(part: FilePart | ReasoningFilePart, modelId: string, counter: Counter): number {
  const family = modelFamily(modelId);
  const data = inlineData(part.data);
  const text = asText(part, data);
  if (text !== undefined) return counter.count(text);
  if (isImage(part))
    return imageTokens(data === undefined ? undefined : imageDimensions(data), family, modelId, isLowDetail(part));
  if (part.mediaType === "application/pdf") return pages(data) * PAGE_TOKENS[family];
  const bytes = data === undefined ? undefined : byteLength(data);
  const seconds = (rate: number) => (bytes === undefined ? UNKNOWN_SECONDS : Math.ceil(bytes / rate));
  if (part.mediaType.startsWith("audio")) {
    const rate = /wav|pcm/.test(part.mediaType) ? BYTES_PER_SECOND.wav : BYTES_PER_SECOND.compressed;
    return seconds(rate) * SOUND_TOKENS[family];
  }
  if (part.mediaType.startsWith("video")) return seconds(BYTES_PER_SECOND.film) * FILM_TOKENS;
  return bytes === undefined ? UNKNOWN_PAGES * PAGE_TOKENS[family] : Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** The data itself, where it is here and not only named. */
function inlineData(data: FileData): string | Uint8Array | undefined {
  if (data.type === "data") return data.data;
  return data.type === "url" ? splitDataUrl(data.url)?.base64 : undefined;
}

const TEXT_TYPES = /^text\b|[/+](json|xml|yaml|javascript|typescript|csv|markdown)$/;

function asText(part: FilePart | ReasoningFilePart, data: string | Uint8Array | undefined): string | undefined {
  if (part.data.type === "text") return part.data.text;
  if (data === undefined || !TEXT_TYPES.test(part.mediaType)) return undefined;
  const bytes = fromBase64(data);
  return bytes && new TextDecoder().decode(bytes);
}

/** Counts the page objects; where they are packed away, goes by the size. */
function pages(data: string | Uint8Array | undefined): number {
  const bytes = data === undefined ? undefined : fromBase64(data);
  if (bytes === undefined) return UNKNOWN_PAGES;
  const found = new TextDecoder("latin1").decode(bytes).match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  return Math.max(1, found === 0 ? Math.ceil(bytes.length / BYTES_PER_PAGE) : found);
}

function isLowDetail(part: FilePart | ReasoningFilePart): boolean {
  return providerOption(part, "openai", "imageDetail") === "low";
}
