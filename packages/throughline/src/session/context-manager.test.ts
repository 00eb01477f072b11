import { describe, expect, it } from "vitest";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import { PROVIDERS } from "../message/legality-rules.ts";
import { callPart, resultPart, say, windowOf } from "../message/message.arbitrary.ts";
import type { Message } from "../message/message.ts";
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

describe("ContextManager, round after round", () => {
  it("goes on from the round before, and keeps what was asked for in the first", async () => {
    const manager = new ContextManager();
    const asked = "Use tabs.\nNever spaces in src/legacy.ts.";
    let window: readonly Message[] = windowOf(say("user", "Tidy up."), say("assistant", "Yes."), say("user", asked));
    for (let round = 1; round <= 3; round += 1) {
      const more = windowOf(...rounds(50, 300, `r${round}-`)).map((message) => ({
        ...message,
        id: `${round}-${message.id}`,
      }));
      const result = await manager.prepareContext([...window, ...more], "gpt-4");
      expect(result.wasCompacted).toBe(true);
      window = result.messages;
      expect(JSON.stringify(window)).toContain(`Compaction Round ${round}`);
      expect(JSON.stringify(window)).toContain(JSON.stringify(asked).slice(1, -1));
    }
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
    // The task, m1, stays as it is.
    expect(compactionEvent.compactedMessageIds[0]).toBe("m2");
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

  it("keeps what the user asked for word for word through many rounds, also when the list was stored as JSON", async () => {
    const asked = "Rename it to `fetchUser`.\nNever touch src/legacy.ts.";
    let list: readonly ForeignModelMessage[] = [
      { role: "user", content: "Clean up the users." },
      { role: "assistant", content: "Fine." },
      { role: "user", content: asked },
    ];
    for (let round = 1; round <= 6; round += 1) {
      const more = Array.from({ length: 12 }, (_, i) => ({
        role: i % 2 ? "user" : "assistant",
        content: `${round}.${i}`,
      }));
      const { compactedMessages, compactionEvent } = await compact([...list, ...more], "s1", undefined);
      expect(compactionEvent.round).toBe(round);
      list = JSON.parse(JSON.stringify(compactedMessages)) as ForeignModelMessage[];
      expect(JSON.stringify(list)).toContain("Clean up the users.");
      expect(JSON.stringify(list)).toContain(JSON.stringify(asked).slice(1, -1));
    }
  });

  it("goes on without the ledger where what carries it is broken", async () => {
    const first = await compact(messages, "s1", undefined);
    const broken = first.compactedMessages.map((message) =>
      message.role === "assistant"
        ? { ...message, providerOptions: { throughline: { ledger: { version: 1 } } } }
        : message,
    );
    const more = Array.from({ length: 12 }, (_, i) => ({ role: i % 2 ? "assistant" : "user", content: `m${i}` }));
    expect((await compact([...broken, ...more], "s1", undefined)).compactionEvent.round).toBe(2);
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
