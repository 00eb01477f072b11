import { describe, expect, it } from "vitest";
import { atLeast, atMost, formatTarget, readTarget } from "./target.ts";

describe("the line of a target", () => {
  it.each([
    atMost("search p95 (100,000 entries) against FTS5: CPU", 0.1, 0.2),
    atMost("append over HTTP", 6.1, 5),
    atLeast("recall@10", 0.834, 0.825),
  ])("is read as it was printed: $name", (target) => {
    expect(readTarget(formatTarget(target))).toEqual(target);
  });

  it("is not mistaken for another line", () => {
    expect(readTarget("met a friend (twice)")).toBeUndefined();
  });
});
