import { describe, expect, it } from "vitest";
import { PROVIDERS } from "../message/legality-rules.ts";
import { callPart, resultPart, say, windowOf } from "../message/message.arbitrary.ts";
import { validateWindow } from "../message/validate-window.ts";
import { compact, safeCompact } from "./compact-messages.ts";
import { ContextManager } from "./context-manager.ts";
import { WorkingContext } from "./working-context.ts";

const rounds = (count: number, words: number, name = "c") =>
  Array.from({ length: count }, (_, i) => [
    say("user", `turn ${i}`),
    say("assistant", callPart(`${name}${i}`, { file_path: `/src/${name}${i}.ts` })),
    say("tool", resultPart(`${name}${i}`, "word ".repeat(words))),
    say("assistant", `done with ${i}`),
  ]).flat();

describe("ContextManager", () => {
  it("leaves messages that fit as they are", async () => {
    const window = windowOf(...rounds(2, 10));
    const result = await new ContextManager().prepareContext(window, "gpt-4o");
    expect(result).toMatchObject({
      messages: window,
      wasPruned: false,
      wasCompacted: false,
      debug: { prunedOutputs: 0 },
    });
  });

  it("prunes where that is enough, and does not compact", async () => {
    const result = await new ContextManager().prepareContext(windowOf(...rounds(14, 10_000)), "gpt-4o");
    expect(result).toMatchObject({ wasPruned: true, wasCompacted: false });
    expect(result.tokens.final).toBeLessThan(result.tokens.before);
    expect(result.debug.prunedOutputs).toBeGreaterThan(0);
  });

  it("compacts where pruning is not enough, and drops the tools that nothing names any more", async () => {
    const workingContext = new WorkingContext();
    workingContext.discover("read", "deploy");
    const manager = new ContextManager({ workingContext });
    const result = await manager.prepareContext(windowOf(...rounds(60, 300)), "gpt-4");
    expect(result.wasCompacted).toBe(true);
    expect(manager.checkOverflow(result.messages, "gpt-4").isOverflow).toBe(false);
    expect(result.debug.compactedMessages).toBeGreaterThan(100);
    expect(workingContext.discoveredTools).toEqual(["read"]);
    expect(result.debug.removedTools).toEqual(["deploy"]);
  });
});

describe("ContextManager with one giant message", () => {
  it("cuts it rather than giving back what overflows", async () => {
    const manager = new ContextManager();
    const result = await manager.prepareContext(windowOf(say("user", "word ".repeat(200_000))), "gpt-4o");
    expect(manager.checkOverflow(result.messages, "gpt-4o").isOverflow).toBe(false);
    expect(result.tokens.final).toBeLessThan(result.tokens.before);
  });
});

describe("compact", () => {
  const messages = windowOf(say("system", "s"), ...rounds(10, 20));

  it("replaces all but the last messages by a summary, in a form that every provider takes", async () => {
    const { compactedMessages, compactionEvent } = await compact(messages, "s1", undefined);
    expect(compactionEvent.round).toBe(1);
    expect(compactionEvent.tokensAfter).toBeLessThan(compactionEvent.tokensBefore * 3);
    expect(compactionEvent.summaryContent).toContain("/src/c0.ts");
    expect(compactionEvent.compactedMessageIds[0]).toBe("m1");
    for (const provider of PROVIDERS) expect(validateWindow(compactedMessages, provider)).toEqual([]);
  });

  it("goes on counting rounds from the summary that is already there", async () => {
    const first = await compact(messages, "s1", undefined);
    const more = [
      ...first.compactedMessages,
      ...Array.from({ length: 12 }, (_, i) => ({ role: i % 2 ? "assistant" : "user", content: `m${i}` })),
    ];
    const second = await compact(more, "s1", undefined);
    expect(second.compactionEvent.round).toBe(2);
  });

  it("does nothing where there is nothing to do", async () => {
    const short = windowOf(say("user", "hi"));
    expect((await compact(short, "s1", undefined)).compactionEvent.round).toBe(0);
  });

  it("gives the messages back as they were when it fails", async () => {
    const errors: unknown[] = [];
    const broken = [{ role: "wizard", content: "?" }];
    expect(await safeCompact(broken, "s1", undefined, { onError: (error) => errors.push(error) })).toBe(broken);
    expect(errors).toHaveLength(1);
  });
});
