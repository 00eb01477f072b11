export type CounterName = "throughline" | "gpt-tokenizer" | "js-tiktoken" | "tiktoken";

export const COUNTER_NAMES: readonly CounterName[] = ["throughline", "gpt-tokenizer", "js-tiktoken", "tiktoken"];

/** Each as documented, with special tokens treated as text. */
export async function loadCounter(name: CounterName): Promise<(text: string) => number> {
  switch (name) {
    case "throughline": {
      const { countTokens } = await import("throughline");
      return countTokens;
    }
    case "gpt-tokenizer": {
      const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
      return (text) => countTokens(text, { disallowedSpecial: new Set() });
    }
    case "js-tiktoken": {
      const { Tiktoken } = await import("js-tiktoken/lite");
      const { default: ranks } = await import("js-tiktoken/ranks/o200k_base");
      const encoder = new Tiktoken(ranks);
      return (text) => encoder.encode(text, [], []).length;
    }
    case "tiktoken": {
      const { get_encoding } = await import("tiktoken");
      const encoder = get_encoding("o200k_base");
      return (text) => encoder.encode(text, [], []).length;
    }
  }
}
