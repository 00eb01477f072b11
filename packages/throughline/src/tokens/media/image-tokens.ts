import { bareModelName, type ModelFamily } from "../model-family.ts";
import type { Dimensions } from "./image-dimensions.ts";

/** Tokens of an image by the provider's published rule. Without a size: the maximum of the rule. */
export function imageTokens(
  size: Dimensions | undefined,
  family: ModelFamily,
  modelId: string,
  lowDetail: boolean,
): number {
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
