import type { ReportedCompaction } from "throughline/internal";
import { describe, expect, test } from "vitest";
import { describeCompaction } from "./describe-compaction.ts";

function compaction(missing: readonly string[], lookups: readonly number[] = []): ReportedCompaction {
  const keptNames = ["src/cart.ts", "src/tax.ts", "src/totals.ts"];
  return {
    at: 10,
    call: 88,
    tokensBefore: 167_200,
    tokensAfter: 24_100,
    review: { needed: missing.length + 3, kept: 3, keptNames, missing },
    lookups: lookups.map((tokens, message) => ({ toolName: "Read", target: "a.ts", message, tokens })),
    items: [],
    bandsBefore: {} as ReportedCompaction["bandsBefore"],
  };
}

describe("the sentence about a compaction", () => {
  test("says sizes, the kept share, the missing names and the repeated lookups", () => {
    expect(describeCompaction(compaction(["src/order.ts"], [9_000, 12_000]))).toBe(
      "After call 88, the agent compacted 167k → 24k tokens. It kept 75% of the names that were needed afterwards. 1 name was gone. 2 lookups were repeated, for 21k tokens.",
    );
  });

  test("says when nothing was lost", () => {
    expect(describeCompaction(compaction([]))).toMatch(/It kept 100% of the names that were needed afterwards\.$/);
  });

  test("says when the transcript has no summary", () => {
    const { review: _, ...unknown } = compaction([]);
    expect(describeCompaction(unknown)).toMatch(/The transcript doesn't contain the summary\.$/);
  });
});
