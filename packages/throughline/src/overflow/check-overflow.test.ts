import { describe, expect, it } from "vitest";
import { say, windowOf } from "../message/message.arbitrary.ts";
import { countTotalBytes } from "../tokens/count-bytes.ts";
import { calculateByteThreshold, calculateThreshold, checkOverflow, shouldCompact } from "./check-overflow.ts";
import { DEFAULT_CONFIG } from "./compaction-config.ts";

describe("calculateThreshold", () => {
  it("is 80% of the window without the reserves", () => {
    expect(calculateThreshold()).toBe(93_600);
    expect(calculateThreshold({ modelContextLimit: 200_000 })).toBe(151_200);
  });

  it("has smaller default reserves in a window below 128,000 tokens", () => {
    expect(calculateThreshold({ modelContextLimit: 16_000 })).toBe(11_700);
    expect(calculateThreshold({ modelContextLimit: 64_000 })).toBe(46_800);
  });

  it("uses given reserves as they are", () => {
    expect(calculateThreshold({ ...DEFAULT_CONFIG, modelContextLimit: 16_000 })).toBe(4_000);
    expect(calculateThreshold({ modelContextLimit: 16_000, systemReserve: 1_375 })).toBe(10_800);
    const none = { systemReserve: 0, outputReserve: 0, safetyBuffer: 0 };
    expect(calculateThreshold({ modelContextLimit: 16_000, ...none, thresholdPercent: 0.5 })).toBe(8_000);
  });
});

describe("calculateByteThreshold", () => {
  it("is the same share of the bytes, and infinite without a limit", () => {
    expect(calculateByteThreshold({ maxBytes: 1_000 })).toBe(800);
    expect(calculateByteThreshold({ maxBytes: 1_000, thresholdPercent: 0.5 })).toBe(500);
    expect(calculateByteThreshold()).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("shouldCompact", () => {
  const long = (count: number) =>
    Array.from({ length: count }, () => ({ role: "user", content: "word ".repeat(10_000) }));

  it("is due at the threshold and not before", () => {
    expect(shouldCompact(long(12))).toBe(true);
    expect(shouldCompact(long(12), { modelContextLimit: 400_000 })).toBe(false);
  });

  it("is due if images fill the bytes but hardly any tokens", () => {
    const image = { type: "image", image: "A".repeat(50_000), mediaType: "image/png" };
    const messages = Array.from({ length: 12 }, () => ({ role: "user", content: [image] }));
    expect(shouldCompact(messages)).toBe(false);
    expect(shouldCompact(messages, { maxBytes: 700_000 })).toBe(true);
    expect(shouldCompact(messages, { maxBytes: 800_000 })).toBe(false);
    expect(shouldCompact(messages.slice(1), { maxBytes: 100 })).toBe(false);
  });

  it("is never due for a list that is shorter than the kept tail", () => {
    expect(shouldCompact(long(11))).toBe(false);
  });
});

describe("checkOverflow", () => {
  it("compares the messages with the window without the output reserve", () => {
    const window = windowOf(say("user", "word ".repeat(5_000)));
    expect(checkOverflow(window, "gpt-4o")).toMatchObject({
      isOverflow: false,
      modelLimit: 128_000,
      outputReserve: 16_384,
    });
    expect(checkOverflow(window, "gpt-4")).toMatchObject({ isOverflow: true, availableTokens: 0, modelLimit: 8_192 });
  });

  it("overflows in bytes too, if they are limited", () => {
    const window = windowOf(
      say("user", { type: "file", mediaType: "image/png", data: { type: "data", data: "A".repeat(9_000) } }),
    );
    const current = countTotalBytes(window);
    expect(checkOverflow(window, "gpt-4o")).not.toHaveProperty("bytes");
    expect(checkOverflow(window, "gpt-4o", undefined, { maxBytes: 9_000 })).toMatchObject({
      isOverflow: true,
      bytes: { current, available: 0, limit: 9_000 },
    });
    expect(checkOverflow(window, "gpt-4o", undefined, { maxBytes: current })).toMatchObject({ isOverflow: false });
  });
});
