import { describe, expect, it } from "vitest";
import { callPart, resultPart, say, windowOf } from "../../message/message.arbitrary.ts";
import type { Message } from "../../message/message.ts";
import { toolOutputText } from "../../message/tool-output.ts";
import { countTotalBytes } from "../../tokens/count-bytes.ts";
import { WorkingContext } from "../working-context.ts";
import { ContextManager, type ContextManagerOptions } from "./context-manager.ts";

const rounds = (count: number, words: number, name = "c") =>
  Array.from({ length: count }, (_, i) => [
    say("user", `turn ${i}`),
    say("assistant", callPart(`${name}${i}`, { file_path: `/src/${name}${i}.ts` })),
    say("tool", resultPart(`${name}${i}`, "word ".repeat(words))),
    say("assistant", `done with ${i}`),
  ]).flat();

describe("ContextManager", () => {
  it("leaves messages that fit unchanged", async () => {
    const window = windowOf(...rounds(2, 10));
    const result = await new ContextManager().prepareContext(window, "gpt-4o");
    expect(result).toMatchObject({
      messages: window,
      wasPruned: false,
      wasCompacted: false,
      debug: { prunedOutputs: 0 },
    });
  });

  it("only prunes if that is enough", async () => {
    const result = await new ContextManager().prepareContext(windowOf(...rounds(14, 10_000)), "gpt-4o");
    expect(result).toMatchObject({ wasPruned: true, wasCompacted: false });
    expect(result.tokens.final).toBeLessThan(result.tokens.before);
    expect(result.debug.prunedOutputs).toBeGreaterThan(0);
  });

  it("compacts if pruning is not enough, and drops unreferenced tools", async () => {
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
  it("continues from the previous round, and keeps the requests of the first", async () => {
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
  it("cuts it, so that nothing overflows", async () => {
    const manager = new ContextManager();
    const result = await manager.prepareContext(windowOf(say("user", "word ".repeat(200_000))), "gpt-4o");
    expect(manager.checkOverflow(result.messages, "gpt-4o").isOverflow).toBe(false);
    expect(result.tokens.final).toBeLessThan(result.tokens.before);
  });
});

describe("the options of a context manager", () => {
  const long = (count: number) =>
    windowOf(
      ...Array.from({ length: count }, (_, i) =>
        say(i % 2 === 0 ? "user" : "assistant", `${i} ${"word ".repeat(300)}`),
      ),
    );
  const prepared = async (options: ContextManagerOptions, modelId = "gpt-4") => {
    const manager = new ContextManager(options);
    const { messages, tokens } = await manager.prepareContext(long(40), modelId);
    expect(manager.checkOverflow(messages, modelId).isOverflow).toBe(false);
    return { messages, tokens };
  };

  it("limit turns, messages, tokens and bytes", async () => {
    const { messages } = await prepared({});
    expect((await prepared({ minTurnsToKeep: 4 })).messages.length).toBeGreaterThan(messages.length);
    const { messages: few } = await prepared({ recentMessagesToKeep: 3 });
    expect(few.slice(-3)).toEqual(long(40).slice(-3));
    expect(
      (await prepared({ modelContextLimit: 3_000, outputReserve: 500 }, "gpt-4o")).tokens.final,
    ).toBeLessThanOrEqual(2_500);
    expect((await prepared({ modelContextLimit: 3_000 }, "gpt-4o")).tokens.final).toBeLessThanOrEqual(1_500);
    expect(countTotalBytes((await prepared({ maxBytes: 8_000 }, "gpt-4o")).messages)).toBeLessThanOrEqual(8_000);
  });

  it("include a logger that is warned of an unknown model", async () => {
    const warnings: string[] = [];
    const logger = { info: () => undefined, warn: (text: string) => warnings.push(text) };
    await new ContextManager({ logger }).prepareContext(windowOf(say("user", "hi")), "no-such-model");
    expect(warnings.join()).toContain("no-such-model");
  });

  it("work on lists with duplicate ids: only the oldest output is masked", async () => {
    const twice = (name: string, words: string) =>
      windowOf(say("user", `Ask ${name}.`), say("assistant", callPart(name)), say("tool", resultPart(name, words)));
    const list = ["a", "b", "c"].flatMap((name) => twice(name, `${name} `.repeat(55_000)));
    const { messages } = await new ContextManager().prepareContext(list, "gpt-4o");
    const begins = messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "tool-result" ? [toolOutputText(part.output).slice(0, 4)] : [])),
    );
    expect(begins).toEqual(["[Out", "b b ", "c c "]);
  });
});
