import type { Encoding } from "./bpe/token-ranks.ts";

/** Provider family of a model, which decides about its tokenizer and image rules. */
export type ModelFamily = "openai" | "anthropic" | "google" | "other";

/** Removes the vendor prefix of a model name: `openrouter/openai/gpt-4o`, `us.anthropic.claude-…`, `ft:gpt-4o:…`. */
export function bareModelName(modelId: string): string {
  const name = modelId.slice(modelId.lastIndexOf("/") + 1).toLowerCase();
  return name.replace(/^ft:/, "").replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|amazon|cohere|meta|mistral|openai)\./, "");
}

export function modelFamily(modelId: string): ModelFamily {
  const name = bareModelName(modelId);
  if (/^(gpt-|chatgpt-|o\d|codex-|text-embedding-|computer-use)/.test(name)) return "openai";
  if (name.startsWith("claude")) return "anthropic";
  if (/^(gemini|gemma)/.test(name)) return "google";
  return modelId.toLowerCase().startsWith("openai/") ? "openai" : "other";
}

/** Exact encoding of an OpenAI model; `undefined` for models without a public tokenizer. */
export function encodingFor(modelId: string): Encoding | undefined {
  if (modelFamily(modelId) !== "openai") return undefined;
  // GPT-4 and older: `gpt-4`, `gpt-4-turbo`, `gpt-3.5-turbo`, but not `gpt-4o` or `gpt-4.1`.
  return /^(gpt-4($|-)|gpt-3|text-embedding-)/.test(bareModelName(modelId)) ? "cl100k_base" : "o200k_base";
}
