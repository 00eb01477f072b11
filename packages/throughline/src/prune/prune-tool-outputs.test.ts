import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../test/cases.ts";
import { callPart, resultPart, say, windowOf } from "../message/message.arbitrary.ts";
import type { MessageDraft } from "../message/message.ts";
import { needsPruning, pruneToolOutputs } from "./prune-tool-outputs.ts";

/** User turns, each with one tool output of the given number of tokens. */
function turns(count: number, tokens = 10_000): ReturnType<typeof windowOf> {
  return windowOf(
    ...Array.from({ length: count }, (_, i) => [
      say("user", `turn ${i}`),
      say("assistant", callPart(`c${i}`, { file_path: `/f${i}` })),
      say("tool", resultPart(`c${i}`, `word${i} `.repeat(tokens * 0.49))),
    ]).flat(),
  );
}
const masked = (window: readonly { readonly parts: readonly MessageDraft["parts"][number][] }[]) =>
  window.flatMap((message) =>
    message.parts.flatMap((part) => (part.type === "tool-result" ? [part.compactedAt !== undefined] : [])),
  );

describe("pruneToolOutputs", () => {
  it("masks old outputs, but neither the newest 40,000 tokens of them nor the last two turns", () => {
    const { messages, outputsPruned, tokensSaved, prunedTools } = pruneToolOutputs(turns(10));
    expect(masked(messages)).toEqual([true, true, true, true, false, false, false, false, false, false]);
    expect(outputsPruned).toBe(4);
    expect(tokensSaved).toBeGreaterThan(38_000);
    expect(prunedTools).toEqual(["read"]);
  });

  it("keeps the calls, and names the content and its handle in the mask", () => {
    const window = turns(10);
    const { messages } = pruneToolOutputs(window, {}, { now: 7 });
    expect(messages[1]).toBe(window[1]);
    const part = messages[2]?.parts[0];
    expect(part).toMatchObject({ compactedAt: 7, toolCallId: "c0" });
    expect(JSON.stringify(part)).toMatch(/Output of read masked: [\d,]+ tokens\. It began: .*Recall it as part:m2\.0/);
  });

  it("does nothing if less than 20,000 tokens would be saved", () => {
    const window = turns(7);
    expect(pruneToolOutputs(window)).toMatchObject({
      messages: window,
      outputsPruned: 0,
      tokensSaved: 0,
      prunedTools: [],
    });
  });

  it("does not touch protected tools, nor messages before a summary", () => {
    expect(pruneToolOutputs(turns(10), { protectedTools: ["read"] }).outputsPruned).toBe(0);
    const window = turns(10).map((message, i) => (i === 16 ? { ...message, isSummary: true } : message));
    expect(pruneToolOutputs(window).outputsPruned).toBe(0);
  });

  it("masks outputs that a later read or change made stale, even among the newest", () => {
    const window = windowOf(
      say("user", "a"),
      say("assistant", callPart("c1", { file_path: "/a" })),
      say("tool", resultPart("c1", "word ".repeat(30_000))),
      say("assistant", callPart("c2", { file_path: "/a" })),
      say("tool", resultPart("c2", "other ".repeat(100))),
      say("user", "b"),
      say("user", "c"),
    );
    expect(masked(pruneToolOutputs(window).messages)).toEqual([true, false]);
  });
});

describe("stale outputs", () => {
  it("do not result from a call that failed or has no result yet", () => {
    const failed = { ...resultPart("c2"), output: { type: "error-text" as const, value: "EACCES" } };
    for (const end of [[say("tool", failed)], []]) {
      const window = windowOf(
        say("user", "a"),
        say("assistant", callPart("c1", { file_path: "/a" })),
        say("tool", resultPart("c1", "word ".repeat(30_000))),
        say("assistant", callPart("c2", { file_path: "/a" })),
        ...end,
        say("user", "b"),
        say("user", "c"),
      );
      expect(pruneToolOutputs(window).outputsPruned).toBe(0);
    }
  });
});

describe("needsPruning", () => {
  it("is true if the old outputs exceed the protected and the minimum tokens together", () => {
    expect(needsPruning(turns(10))).toBe(true);
    expect(needsPruning(turns(7))).toBe(false);
  });

  it("does not count on outputs that a later read made stale; pruning masks them anyway", () => {
    const window = windowOf(
      say("user", "a"),
      say("assistant", callPart("c1", { file_path: "/a" })),
      say("tool", resultPart("c1", "word ".repeat(30_000))),
      say("assistant", callPart("c2", { file_path: "/a" })),
      say("tool", resultPart("c2", "other ".repeat(100))),
      say("user", "b"),
      say("user", "c"),
    );
    expect(needsPruning(window)).toBe(false);
    expect(pruneToolOutputs(window).outputsPruned).toBe(1);
  });
});

describe("the minimum saving", () => {
  it("decides whether anything is masked", () => {
    const step = fc.record({
      path: fc.constantFrom("/a", "/b", "/c"),
      tool: fc.constantFrom("read", "edit"),
      size: fc.constantFrom(1, 12, 60, 200),
      isUser: fc.boolean(),
      isSummary: fc.integer({ min: 0, max: 15 }).map((n) => n === 0),
    });
    const config = fc.record({
      pruneMinimum: fc.constantFrom(0, 1, 50, 200, 500),
      pruneProtect: fc.constantFrom(0, 60, 200, 600),
      minTurnsToKeep: fc.constantFrom(0, 1, 2),
      protectedTools: fc.constantFrom([], ["edit"]),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), config, (steps, settings) => {
        const drafts = steps.flatMap(({ path, tool, size, isUser }, i) => [
          ...(isUser ? [say("user", "go on")] : []),
          say("assistant", { ...callPart(`c${i}`, { path }), toolName: tool }),
          say("tool", { ...resultPart(`c${i}`, `${path} `.repeat(size)), toolName: tool }),
        ]);
        const summaries = new Set(steps.flatMap(({ isSummary }, i) => (isSummary ? [`c${i}`] : [])));
        const window = windowOf(...drafts).map((message) => {
          const [part] = message.parts;
          const isSummary = part?.type === "tool-call" && summaries.has(part.toolCallId);
          return isSummary ? { ...message, isSummary } : message;
        });
        const { tokensSaved } = pruneToolOutputs(window, { ...settings, pruneMinimum: 0 });
        for (const pruneMinimum of [
          settings.pruneMinimum,
          Math.max(0, tokensSaved - 1),
          tokensSaved,
          tokensSaved + 1,
        ]) {
          const { outputsPruned } = pruneToolOutputs(window, { ...settings, pruneMinimum });
          expect(outputsPruned > 0).toBe(tokensSaved > 0 && tokensSaved >= pruneMinimum);
        }
      }),
      { numRuns: cases(200) },
    );
  });
});
