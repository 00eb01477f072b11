import { describe, expect, it } from "vitest";
import { say, windowOf } from "../message/message.arbitrary.ts";
import { calculateThreshold, checkOverflow, shouldCompact } from "./check-overflow.ts";

describe("calculateThreshold", () => {
  it("is four fifths of what the reserves leave", () => {
    expect(calculateThreshold()).toBe(93_600);
    expect(calculateThreshold({ modelContextLimit: 200_000 })).toBe(151_200);
  });

  it("leaves a small window at least half of itself", () => {
    expect(calculateThreshold({ modelContextLimit: 8_192 })).toBe(Math.floor(4_096 * 0.8));
  });
});

describe("shouldCompact", () => {
  const long = (count: number) =>
    Array.from({ length: count }, () => ({ role: "user", content: "word ".repeat(10_000) }));

  it("is due at the threshold and not before", () => {
    expect(shouldCompact(long(12))).toBe(true);
    expect(shouldCompact(long(12), { modelContextLimit: 400_000 })).toBe(false);
  });

  it("is never due for a list that is shorter than what would be kept", () => {
    expect(shouldCompact(long(11))).toBe(false);
  });
});

describe("checkOverflow", () => {
  it("counts what is there against what the model takes beside its reply", () => {
    const window = windowOf(say("user", "word ".repeat(5_000)));
    expect(checkOverflow(window, "gpt-4o")).toMatchObject({
      isOverflow: false,
      modelLimit: 128_000,
      outputReserve: 16_384,
    });
    expect(checkOverflow(window, "gpt-4")).toMatchObject({ isOverflow: true, availableTokens: 0, modelLimit: 8_192 });
  });
});
