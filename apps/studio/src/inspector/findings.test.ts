import type { ReportedCompaction } from "throughline/internal/inspect";
import { describe, expect, test } from "vitest";
import { describeCompaction } from "./findings.tsx";

function compaction(missing: readonly string[], lookups: readonly number[] = []): ReportedCompaction {
  const keptNames = ["src/cart.ts", "src/tax.ts", "src/totals.ts"];
  return {
    at: 10,
    call: 88,
    tokensBefore: 167_200,
    tokensAfter: 24_100,
    summary: "Done.",
    review: { calls: 13, needed: missing.length + 3, kept: 3, keptNames, missing },
    lookups: lookups.map((tokens, message) => ({ toolName: "Read", target: "a.ts", message, tokens })),
    items: [],
    evidence: [],
    bandsBefore: {} as ReportedCompaction["bandsBefore"],
  };
}

describe("the sentence about a compaction", () => {
  test("names sizes, the number of kept and lost names, and the repeated lookups", () => {
    expect(describeCompaction(compaction(["src/order.ts"], [9_000, 12_000]), [])).toBe(
      "After call 88, the agent compacted 167k → 24k tokens. Of the 4 files, functions and values it needed next, 3 were kept and 1 was gone: order.ts. It repeated 2 lookups, for 21k tokens.",
    );
  });

  test("uses the singular for one lookup with one token", () => {
    expect(describeCompaction(compaction([], [1]), [])).toMatch(/It repeated 1 lookup, for 1 token\.$/);
  });

  test("names the first of several gone names, cut if it is long", () => {
    expect(describeCompaction(compaction(["src/order.ts", "src/tax.ts"]), [])).toMatch(
      /2 were gone, such as order\.ts\.$/,
    );
    expect(describeCompaction(compaction(["x".repeat(90), "y"]), [])).toMatch(/such as x{60}…\.$/);
  });

  test("states that nothing was lost", () => {
    expect(describeCompaction(compaction([]), [])).toMatch(
      /Of the 3 files, functions and values it needed next, 3 were kept and 0 were gone\.$/,
    );
  });

  test("states how many tool calls used nothing from before", () => {
    const unused = { ...compaction([]), review: { calls: 13, needed: 0, kept: 0, keptNames: [], missing: [] } };
    expect(describeCompaction(unused, [])).toMatch(
      /Its next 13 tool calls used no files, functions or values from before\.$/,
    );
  });

  test("states that the transcript has no summary", () => {
    const { summary: _, ...unknown } = compaction(["src/order.ts"]);
    expect(describeCompaction(unknown, [])).toMatch(/Its summary can't be read in the transcript\.$/);
  });

  test("names a rule first that the window before had and the window after has not", () => {
    const text = "Never push to main.";
    const rule = { text, message: 0, present: [[0, 87]] as const, missingFrom: 88 };
    const of = (...rules: (typeof rule)[]) => describeCompaction(compaction([]), rules);
    expect(of(rule)).toMatch(/^Your rule “Never push to main\.” was dropped\. After call 88,/);
    expect(of(rule, { ...rule, text: "Use tabs." })).toMatch(/^2 of your rules were dropped\. The first: “Never push/);
    expect(of({ ...rule, text: "x".repeat(300) })).toMatch(/^Your rule “x{120}…” was dropped/);
  });

  test("names no rule that left the window at another compaction, or if the summary can't be read", () => {
    const rule = { text: "Never push to main.", message: 0, present: [[0, 40]] as const, missingFrom: 41 };
    expect(describeCompaction(compaction([]), [rule])).toMatch(/^After call 88/);
    const { summary: _, ...unknown } = compaction([]);
    expect(describeCompaction(unknown, [{ ...rule, present: [[0, 87]], missingFrom: 88 }])).toMatch(/^After call 88/);
  });
});
