import { describe, expect, it } from "vitest";
import { encodingFor, modelFamily } from "./model-family.ts";

describe("modelFamily", () => {
  it.each([
    ["gpt-4o", "openai"],
    ["openai/some-new-thing", "openai"],
    ["azure/o3-mini", "openai"],
    ["anthropic/claude-3.5-sonnet", "anthropic"],
    ["us.anthropic.claude-opus-4-1-20250805-v1:0", "anthropic"],
    ["models/gemini-2.5-pro", "google"],
    ["meta-llama/llama-3.3-70b", "other"],
    ["", "other"],
  ] as const)("classifies %s as %s", (modelId, family) => {
    expect(modelFamily(modelId)).toBe(family);
  });
});

describe("encodingFor", () => {
  it.each([
    ["gpt-4", "cl100k_base"],
    ["gpt-4-turbo-2024-04-09", "cl100k_base"],
    ["gpt-3.5-turbo", "cl100k_base"],
    ["gpt-4o-2024-08-06", "o200k_base"],
    ["gpt-4.1-nano", "o200k_base"],
    ["gpt-5", "o200k_base"],
    ["o4-mini", "o200k_base"],
    ["claude-3-opus", undefined],
  ] as const)("counts %s in %s", (modelId, encoding) => {
    expect(encodingFor(modelId)).toBe(encoding);
  });
});
