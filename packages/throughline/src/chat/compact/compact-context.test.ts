import type { ModelMessage as SdkMessage } from "ai";
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { convertModelToRich } from "../../message/convert/ai-sdk.ts";
import { findToolPairs } from "../../message/tool-pairs.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { buildContextWithMemory } from "../inject/build-context.ts";
import { formatMemoryForPrompt } from "../inject/memory-prompt.ts";
import { anyMemoryFacts, memoryFactOf } from "../memory-fact.arbitrary.ts";
import { compactContext, shouldCompact, stageOneTrimHistory, stageTwoReduceMemory } from "./compact-context.ts";

const say = (role: "system" | "user" | "assistant", content: string): SdkMessage => ({ role, content });
const turns = (count: number, text = "") =>
  Array.from({ length: count }, (_, n) => [
    say("user", `U${n + 1}${text}`),
    say("assistant", `A${n + 1}${text}`),
  ]).flat();
const call = (id: string): SdkMessage => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId: id, toolName: "look", input: {} }],
});
const result = (id: string): SdkMessage => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: id, toolName: "look", output: { type: "text", value: "seen" } }],
});
const contents = (messages: readonly SdkMessage[]) => messages.map(({ content }) => content);

describe("shouldCompact", () => {
  it("is true from exactly 80% on", () => {
    expect(shouldCompact(800, 1_000)).toBe(true);
    expect(shouldCompact(799, 1_000)).toBe(false);
  });
});

describe("stageOneTrimHistory", () => {
  it("keeps the first two and the last six", () => {
    const { messages, trimmed } = stageOneTrimHistory([say("system", "S"), ...turns(6)]);
    expect(contents(messages)).toEqual(["S", "U1", "U4", "A4", "U5", "A5", "U6", "A6"]);
    expect(trimmed).toBe(5);
    expectTypeOf(messages).toEqualTypeOf<SdkMessage[]>();
  });

  it("keeps all of a short conversation", () => {
    for (const count of [0, 1, 3, 4]) {
      expect(stageOneTrimHistory(turns(count))).toEqual({ messages: turns(count), trimmed: 0 });
    }
  });

  it("keeps a call with its result on both sides of the gap", () => {
    const messages = [
      say("user", "U"),
      call("a"),
      result("a"),
      ...turns(2),
      call("b"),
      result("b"),
      ...turns(2),
      say("user", "V"),
    ];
    const { messages: kept, trimmed } = stageOneTrimHistory(messages);
    expect(kept).toEqual([...messages.slice(0, 3), ...messages.slice(7)]);
    expect(trimmed).toBe(4);
  });

  it("never splits a pair and keeps both ends, for any messages", () => {
    const piece = fc.oneof(
      fc.constantFrom<SdkMessage[][]>([say("user", "u")], [say("assistant", "a")]),
      fc.nat(1_000_000).map((id) => [call(`c${id}`), result(`c${id}`)]),
      fc.nat(1_000_000).map((id) => [call(`d${id}`), call(`e${id}`), result(`d${id}`), result(`e${id}`)]),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const messages = pieces.flat();
        const { messages: kept, trimmed } = stageOneTrimHistory(messages);
        expect(kept.length + trimmed).toBe(messages.length);
        expect(kept.slice(0, 2)).toEqual(messages.slice(0, 2));
        expect(kept.slice(-6)).toEqual(messages.slice(-6));
        const { orphans, calls } = findToolPairs(convertModelToRich(kept));
        expect(orphans).toEqual([]);
        expect(calls.every((one) => one.result !== undefined)).toBe(true);
      }),
    );
  });
});

describe("stageTwoReduceMemory", () => {
  const identity = memoryFactOf("Lives in Rome", { category: "identity", confidence: 1 });
  const sure = memoryFactOf("Prefers tea", { category: "preference", confidence: 0.81 });
  const unsure = memoryFactOf("Prefers dark mode", { category: "preference", confidence: 0.8 });
  const work = memoryFactOf("Migrating to Postgres", { confidence: 0.1 });

  it("drops identity and unsure preferences, and keeps projects", () => {
    expect(stageTwoReduceMemory([identity, unsure, sure, work], 500)).toEqual({ memories: [sure, work], reduction: 2 });
  });

  it("keeps pinned facts of any kind and size", () => {
    const pinned = [identity, unsure].map((fact) => ({ ...fact, pinned: true }));
    expect(stageTwoReduceMemory([...pinned, work], 500).memories).toEqual([...pinned, work]);
    expect(stageTwoReduceMemory([...pinned, work], 1).memories).toEqual(pinned);
  });

  it("drops preferences before projects if the budget is small", () => {
    const room = countTokens(formatMemoryForPrompt([work]));
    expect(stageTwoReduceMemory([sure, work], room).memories).toEqual([work]);
  });

  it("counts the facts in the order of its result, which may take more tokens than the order of their value", () => {
    const [later, first] = [memoryFactOf("Writes Go"), memoryFactOf("Ships in May (or June)", { confidence: 0.9 })];
    const least = countTokens(formatMemoryForPrompt([first, later]));
    expect(countTokens(formatMemoryForPrompt([later, first]))).toBe(least + 1);
    expect(stageTwoReduceMemory([later, first], least).memories).toEqual([first]);
    expect(stageTwoReduceMemory([later, first], least + 1).memories).toEqual([later, first]);
  });

  it("never drops a pinned fact, and else keeps the budget", () => {
    fc.assert(
      fc.property(anyMemoryFacts, fc.nat(500), (facts, budget) => {
        const { memories, reduction } = stageTwoReduceMemory(facts, budget);
        expect(memories.length + reduction).toBe(facts.length);
        const pinned = facts.filter((fact) => fact.pinned);
        expect(memories.filter((fact) => fact.pinned)).toEqual(pinned);
        const least = countTokens(formatMemoryForPrompt(pinned));
        expect(countTokens(formatMemoryForPrompt(memories))).toBeLessThanOrEqual(Math.max(budget, least));
      }),
    );
  });
});

describe("compactContext", () => {
  const facts = [
    memoryFactOf("Migrating to Postgres"),
    memoryFactOf("Lives in Rome", { category: "identity" }),
    memoryFactOf("Prefers tea", { category: "preference", confidence: 0.6 }),
  ];
  const long = ` ${"word ".repeat(100)}`;

  it("leaves a window alone that is not full", () => {
    const messages = turns(20);
    const compacted = compactContext(messages, facts, "gpt-4o");
    const { memoryTokens, totalTokens, percentUsed } = buildContextWithMemory(messages, facts, "gpt-4o");
    expect(compacted).toEqual({ messages, memories: facts, stage: "none", memoryTokens, totalTokens, percentUsed });
  });

  it("trims the middle first, and memories only if that is not enough", () => {
    const messages = turns(20, long);
    const first = compactContext(messages, facts, "gpt-4o", { contextWindow: 4_000 });
    expect(first).toMatchObject({ stage: "stage1", memories: facts });
    expect(first.messages).toEqual(stageOneTrimHistory(messages).messages);
    expect(first.percentUsed).toBeLessThan(80);

    const second = compactContext(messages, facts, "gpt-4o", { contextWindow: 900 });
    expect(second).toMatchObject({ stage: "stage2", messages: first.messages, memories: facts.slice(0, 1) });
    expect(second.memoryTokens).toBeLessThan(first.memoryTokens);
  });

  it("counts the persona", () => {
    const options = { contextWindow: 4_000, baseSystemPrompt: "word ".repeat(3_300) };
    expect(compactContext(turns(2), facts, "gpt-4o", options).stage).toBe("stage2");
  });
});
