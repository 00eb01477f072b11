import { describe, expect, it } from "vitest";
import {
  calculateAvailableTokens,
  DEFAULT_MODEL_LIMITS,
  encodingFor,
  getContextLimit,
  getModelLimits,
  isApproachingOverflow,
  modelFamily,
} from "./model-limits.ts";

describe("getModelLimits", () => {
  it.each([
    ["gpt-4o", 128_000, 16_384],
    ["openai/gpt-4o", 128_000, 16_384],
    ["openai/gpt-4o-mini", 128_000, 16_384],
    ["openai/gpt-4-turbo", 128_000, 4_096],
    ["openai/gpt-4", 8_192, 4_096],
    ["openai/gpt-3.5-turbo", 16_385, 4_096],
    ["anthropic/claude-3.5-sonnet", 200_000, 8_192],
    ["claude-3-5-sonnet-20240620", 200_000, 8_192],
    ["claude-3-haiku-20240307", 200_000, 4_096],
    ["anthropic/claude-3-opus", 200_000, 4_096],
    ["anthropic/claude-3-sonnet", 200_000, 4_096],
    ["anthropic/claude-3-haiku", 200_000, 4_096],
    ["google/gemini-pro", 32_000, 8_192],
    ["google/gemini-1.5-pro", 1_000_000, 8_192],
  ])("knows %s", (modelId, contextLimit, maxOutput) => {
    expect(getModelLimits(modelId)).toEqual({ contextLimit, maxOutput, source: "table" });
  });

  it.each([
    ["gpt-4o-2024-08-06", "gpt-4o"],
    ["gpt-4-0613", "gpt-4"],
    ["gpt-4-turbo-2024-04-09", "gpt-4-turbo"],
    ["gpt-4.1-mini-2025-04-14", "gpt-4.1-mini"],
    ["us.anthropic.claude-3-5-sonnet-20240620-v1:0", "claude-3.5-sonnet"],
    ["claude-3-5-sonnet@20240620", "claude-3.5-sonnet"],
    ["claude-opus-4-5-20251101", "claude-opus-4.5"],
    ["models/gemini-1.5-pro-002", "gemini-1.5-pro"],
    ["meta-llama/llama-3.1-8b-instruct", "llama-3.1"],
    ["gpt-oss-20b", "gpt-oss"],
    ["ft:gpt-4o-2024-08-06:acme::abc", "gpt-4o"],
    ["openrouter/anthropic/claude-sonnet-4:beta", "claude-sonnet-4"],
  ])("resolves %s to %s", (dated, modelId) => {
    expect(getModelLimits(dated)).toEqual(getModelLimits(modelId));
  });

  it("knows the variants with lower limits than their model", () => {
    expect(getContextLimit("gpt-5.2-chat-latest")).toBe(128_000);
    expect(getContextLimit("gpt-3.5-turbo-instruct")).toBe(4_096);
    expect(getContextLimit("gemini-2.5-flash-image")).toBe(32_768);
  });

  it("does not resolve a newer version to a known one", () => {
    expect(getModelLimits("gpt-4.9").source).not.toBe("table");
    expect(getModelLimits("claude-sonnet-4-9").source).not.toBe("table");
  });

  it("knows the context window of models with an unknown output limit", () => {
    expect(getModelLimits("x-ai/grok-4")).toMatchObject({ contextLimit: 256_000, source: "registry" });
  });

  it("returns 16,000 tokens and a warning for an unknown model", () => {
    expect(DEFAULT_MODEL_LIMITS).toEqual({ contextLimit: 16_000, maxOutput: 4_096 });
    expect(getModelLimits("acme/rocket-1")).toEqual({
      ...DEFAULT_MODEL_LIMITS,
      source: "default",
      warning:
        'Unknown model "acme/rocket-1": assuming a context window of 16,000 tokens. Set contextLimit to the real value.',
    });
    for (const odd of ["default", "", "/", "__proto__", "constructor", "toString"]) {
      expect(getModelLimits(odd).contextLimit).toBe(DEFAULT_MODEL_LIMITS.contextLimit);
    }
  });

  it("lets overrides take precedence, for one model or for a prefix", () => {
    expect(getModelLimits("my-model-7b", { overrides: { "my-model": { contextLimit: 2_000 } } })).toEqual({
      contextLimit: 2_000,
      maxOutput: 2_000,
      source: "override",
    });
    const overrides = { "acme/rocket": { contextLimit: 64_000 }, "gpt-4o": { maxOutput: 1_000 } };
    expect(getModelLimits("acme/rocket-1106", { overrides })).toEqual({
      contextLimit: 64_000,
      maxOutput: 4_096,
      source: "override",
    });
    expect(getModelLimits("openai/gpt-4o-2024-08-06", { overrides })).toMatchObject({
      contextLimit: 128_000,
      maxOutput: 1_000,
    });
  });
});

describe("the available space", () => {
  it("is the window minus output and used tokens", () => {
    expect(getContextLimit("gpt-4")).toBe(8_192);
    expect(calculateAvailableTokens("gpt-4", 1_000)).toBe(8_192 - 4_096 - 1_000);
    expect(calculateAvailableTokens("gpt-4", 9_000, 192)).toBe(-1_000);
  });

  it("is nearly full above 90%, or above the given threshold", () => {
    expect(isApproachingOverflow("gpt-4", 3_686)).toBe(false);
    expect(isApproachingOverflow("gpt-4", 3_687)).toBe(true);
    expect(isApproachingOverflow("gpt-4", 3_687, 4_096, 0.95)).toBe(false);
  });
});

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
