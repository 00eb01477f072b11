import { expect, test } from "vitest";
import { worstCompaction } from "./worst-compaction.ts";

function compaction(missing: readonly string[], tokens: readonly number[] = []) {
  return {
    summary: "Done.",
    review: { calls: 40, needed: missing.length, kept: 0, keptNames: [], missing },
    lookups: tokens.map((size, message) => ({ toolName: "Read", target: "a.ts", message, tokens: size })),
  };
}

test("the worst compaction lost most names, then most tokens", () => {
  expect(worstCompaction([compaction(["a"], [9_000]), compaction(["a", "b"]), compaction([])])).toBe(1);
  expect(worstCompaction([compaction(["a"]), compaction(["a"], [10])])).toBe(1);
  expect(worstCompaction([])).toBe(-1);
});

test("names count as gone only if the summary can be read", () => {
  const { summary: _, ...unreadable } = compaction(["a", "b"]);
  expect(worstCompaction([unreadable, compaction(["a"])])).toBe(1);
});
