import { GIF } from "image-size/types/gif";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { WEBP } from "image-size/types/webp";
import { providerOption } from "../message/convert/conversion.ts";
import { byteLength, fromBase64, headBytes, isImage } from "../message/convert/file-data.ts";
import type { FileData, FilePart, ReasoningFilePart } from "../message/part.ts";
import type { Counter } from "../ports/model.ts";
import { bareModelName, type ModelFamily, modelFamily } from "./model-limits.ts";

interface Dimensions {
  readonly width: number;
  readonly height: number;
}

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

/** Tokens of an image by the provider's published rule. Without a size: the maximum of the rule. */
function imageTokens(size: Dimensions | undefined, family: ModelFamily, modelId: string, lowDetail: boolean): number {
  switch (family) {
    case "openai":
      return openAiTokens(size, modelId, lowDetail);
    case "anthropic":
      return anthropicTokens(size);
    case "google":
      return googleTokens(size);
    case "other":
      return Math.max(openAiTokens(size, "gpt-4o", lowDetail), anthropicTokens(size), googleTokens(size));
  }
}

/** Models with 512-pixel tiles: base tokens and tokens per tile. */
const TILE_RULES: readonly { readonly name: RegExp; readonly base: number; readonly tile: number }[] = [
  { name: /^gpt-4o-mini/, base: 2833, tile: 5667 },
  { name: /^gpt-5(?!.*(mini|nano))/, base: 70, tile: 140 },
  { name: /^o[13]/, base: 75, tile: 150 },
  { name: /^/, base: 85, tile: 170 },
];

/** Models with 32-pixel patches, at most 1,536: factor per patch. */
const PATCH_RULES: readonly { readonly name: RegExp; readonly factor: number }[] = [
  { name: /^(gpt-4\.1-mini|gpt-5.*-mini)/, factor: 1.62 },
  { name: /^(gpt-4\.1-nano|gpt-5.*-nano)/, factor: 2.46 },
  { name: /^o4-mini/, factor: 1.72 },
];
const MAX_PATCHES = 1536;

function openAiTokens(size: Dimensions | undefined, modelId: string, lowDetail: boolean): number {
  const name = bareModelName(modelId);
  const patch = PATCH_RULES.find((rule) => rule.name.test(name));
  if (patch !== undefined) {
    const patches = size === undefined ? MAX_PATCHES : Math.ceil(size.width / 32) * Math.ceil(size.height / 32);
    return Math.ceil(Math.min(patches, MAX_PATCHES) * patch.factor);
  }
  const rule = TILE_RULES.find((one) => one.name.test(name)) ?? { base: 85, tile: 170 };
  return lowDetail ? rule.base : rule.base + rule.tile * tiles512(size ?? { width: 2048, height: 768 });
}

/** Scales into a 2,048-pixel square, then the shorter side to 768. */
function tiles512(size: Dimensions): number {
  const whole = fit(size, Math.min(1, 2048 / Math.max(size.width, size.height)));
  const { width, height } = fit(whole, Math.min(1, 768 / Math.min(whole.width, whole.height)));
  return Math.ceil(width / 512) * Math.ceil(height / 512);
}

function fit({ width, height }: Dimensions, scale: number): Dimensions {
  return { width: width * scale, height: height * scale };
}

const ANTHROPIC_MAX = 1600;

/** Pixels divided by 750, with the longer side scaled to 1,568. */
function anthropicTokens(size: Dimensions | undefined): number {
  if (size === undefined) return ANTHROPIC_MAX;
  const { width, height } = fit(size, Math.min(1, 1568 / Math.max(size.width, size.height)));
  return Math.min(ANTHROPIC_MAX, Math.ceil((width * height) / 750));
}

const GOOGLE_TILE = 258;

/**
 * One tile for a small image, otherwise tiles of two thirds of the shorter side (256 to 768); six tiles if the size is
 * unknown.
 */
function googleTokens(size: Dimensions | undefined): number {
  if (size === undefined) return 6 * GOOGLE_TILE;
  const { width, height } = size;
  if (width <= 384 && height <= 384) return GOOGLE_TILE;
  const side = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)));
  return Math.ceil(width / side) * Math.ceil(height / side) * GOOGLE_TILE;
}

/** Image formats that every provider accepts. */
const READERS = [PNG, JPG, GIF, WEBP];
/** Maximum bytes to parse: enough for a photo's metadata, and a limit for hostile files. */
const HEAD_BYTES = 64 * 1024;

/** Reads the size of an image from its first bytes; `undefined` if they do not contain it. */
export function imageDimensions(data: string | Uint8Array): Dimensions | undefined {
  const head = headBytes(data, HEAD_BYTES);
  if (head === undefined) return undefined;
  try {
    const size = READERS.find((reader) => reader.validate(head))?.calculate(head);
    return size !== undefined && size.width > 0 && size.height > 0
      ? { width: size.width, height: size.height }
      : undefined;
  } catch {
    // The readers throw on truncated or invalid headers.
    return undefined;
  }
}
