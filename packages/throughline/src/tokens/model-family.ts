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

/**
 * Returns the entry of a model, or of the longest-named model that it is a variant of.
 *
 * @example
 * findModel("gpt-4o-2024-08-06", { "gpt-4": 8_192, "gpt-4o": 128_000 }); // 128000
 */
export function findModel<T>(name: string, table: Readonly<Record<string, T>>): T | undefined {
  return longestMatch(name, table, isVariant);
}

/** Returns the entry with the longest name that is a prefix of this one, if the remainder may follow it. */
export function longestMatch<T>(
  name: string,
  table: Readonly<Record<string, T>>,
  mayFollow: (rest: string) => boolean,
): T | undefined {
  const wanted = dashedName(name);
  let best: { readonly length: number; readonly value: T } | undefined;
  for (const [key, value] of Object.entries(table)) {
    const candidate = dashedName(key);
    if (!wanted.startsWith(candidate) || candidate.length <= (best?.length ?? 0)) continue;
    if (mayFollow(wanted.slice(candidate.length))) best = { length: candidate.length, value };
  }
  return best?.value;
}

/** Normalizes `claude-3.5` and `claude-3-5`, which are both in use. */
export function dashedName(name: string): string {
  return name.toLowerCase().replaceAll(".", "-");
}

/** `-0613` is a date and `-8b` a size, so a variant; `-9` is another version. */
function isVariant(rest: string): boolean {
  return rest === "" || (/^[-@:_]/.test(rest) && !/^-\d{1,2}(?![\da-z])/.test(rest));
}
