import type { ModelLimits } from "./model-limits.ts";

const limits = (contextLimit: number, maxOutput: number): ModelLimits => ({ contextLimit, maxOutput });

/**
 * The models that the price registry does not know well enough: it has no output limits and lacks or rounds some
 * windows. Where a provider sells a larger window only on request, the smaller one stands here.
 */
export const MODEL_LIMITS: Readonly<Record<string, ModelLimits>> = {
  "gpt-3.5-turbo": limits(16_385, 4_096),
  "gpt-4": limits(8_192, 4_096),
  "gpt-4-32k": limits(32_768, 4_096),
  "gpt-4-0125": limits(128_000, 4_096),
  "gpt-4-1106": limits(128_000, 4_096),
  "gpt-4-turbo": limits(128_000, 4_096),
  "gpt-4-vision": limits(128_000, 4_096),
  "gpt-4o": limits(128_000, 16_384),
  "gpt-4o-mini": limits(128_000, 16_384),
  "chatgpt-4o": limits(128_000, 16_384),
  "gpt-4.1": limits(1_047_576, 32_768),
  "gpt-4.1-mini": limits(1_047_576, 32_768),
  "gpt-4.1-nano": limits(1_047_576, 32_768),
  "gpt-4.5-preview": limits(128_000, 16_384),
  "gpt-5": limits(400_000, 128_000),
  "gpt-5-mini": limits(400_000, 128_000),
  "gpt-5-nano": limits(400_000, 128_000),
  "gpt-5-chat": limits(128_000, 16_384),
  "gpt-5.1": limits(400_000, 128_000),
  "gpt-5.2": limits(400_000, 128_000),
  "gpt-oss": limits(131_072, 32_768),
  o1: limits(200_000, 100_000),
  "o1-mini": limits(128_000, 65_536),
  "o1-preview": limits(128_000, 32_768),
  o3: limits(200_000, 100_000),
  "o3-mini": limits(200_000, 100_000),
  "o4-mini": limits(200_000, 100_000),

  "claude-2": limits(100_000, 4_096),
  "claude-2.1": limits(200_000, 4_096),
  "claude-instant": limits(100_000, 4_096),
  "claude-3-opus": limits(200_000, 4_096),
  "claude-3-sonnet": limits(200_000, 4_096),
  "claude-3-haiku": limits(200_000, 4_096),
  "claude-3.5-sonnet": limits(200_000, 8_192),
  "claude-3.5-haiku": limits(200_000, 8_192),
  "claude-3.7-sonnet": limits(200_000, 64_000),
  "claude-opus-4": limits(200_000, 32_000),
  "claude-opus-4.1": limits(200_000, 32_000),
  "claude-opus-4.5": limits(200_000, 64_000),
  "claude-opus-4.6": limits(200_000, 128_000),
  "claude-sonnet-4": limits(200_000, 64_000),
  "claude-sonnet-4.5": limits(200_000, 64_000),
  "claude-sonnet-4.6": limits(200_000, 64_000),
  "claude-haiku-4.5": limits(200_000, 64_000),

  "gemini-pro": limits(32_000, 8_192),
  "gemini-1.5-pro": limits(1_000_000, 8_192),
  "gemini-1.5-flash": limits(1_000_000, 8_192),
  "gemini-2.0-flash": limits(1_048_576, 8_192),
  "gemini-2.5-pro": limits(1_048_576, 65_536),
  "gemini-2.5-flash": limits(1_048_576, 65_536),
  "gemini-3-pro": limits(1_048_576, 65_536),
  "gemini-3-flash": limits(1_048_576, 65_536),

  "mistral-large": limits(128_000, 8_192),
  "mistral-small": limits(32_000, 8_192),
  "llama-3.1": limits(128_000, 4_096),
  "llama-3.3": limits(128_000, 4_096),
};
