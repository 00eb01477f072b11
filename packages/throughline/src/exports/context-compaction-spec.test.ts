import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../ports/model.ts";
import { createThroughline } from "../throughline.ts";
import {
  type CompactionCompleteEvent,
  type CompactionEventType,
  CompactionService,
  type CompactionStartEvent,
  ContextCoordinator,
  ContextManager,
  contentProfile,
  DEFAULT_COMPACTION_CONFIG,
  DEFAULT_CONFIG,
  filterMessagesForCompaction,
  generateSummary,
  MessageStore,
  needsPruning,
  pruneToolOutputs,
  WorkingContext,
} from "./compact.ts";
import {
  type AssistantMessage,
  type BaseMessagePart,
  convertModelToRich,
  convertRichToAnthropic,
  convertRichToChat,
  convertRichToModel,
  convertRichToResponses,
  type MessagePart,
  type MessagePartType,
  type RichMessage,
  type RichMessageBase,
  repairWindow,
  type ToolMessage,
  type UserMessage,
} from "./messages.ts";
import { inProcessStore } from "./store.ts";
import {
  calculateAvailableTokens,
  countChatTokens,
  countMessageTokens,
  countPartTokens,
  countTokens,
  countTokensWithModelAdjustment,
  countTotalTokens,
  estimateTokens,
  getModelLimits,
  isApproachingOverflow,
} from "./tokens.ts";

// The facts of the context compaction plan: names, numbers, texts and order, through the public entry points.

const base = (id: string): RichMessageBase => ({ id, sessionId: "s", createdAt: 1, tokens: 0 });
const user = (id: string, text = id): UserMessage => ({
  ...base(id),
  role: "user",
  parts: [{ id: `${id}.0`, type: "text", text }],
});
const reply = (id: string, ...parts: MessagePart[]): AssistantMessage => ({ ...base(id), role: "assistant", parts });
const said = (id: string): AssistantMessage => reply(id, { id: `${id}.0`, type: "text", text: id });
const called = (id: string): AssistantMessage =>
  reply(id, { id: `${id}.0`, type: "tool-call", toolCallId: id, toolName: "read", input: { path: id } });
const answered = (id: string, words: number): ToolMessage => ({
  ...base(`${id}-result`),
  role: "tool",
  parts: [
    {
      id: `${id}-result.0`,
      type: "tool-result",
      toolCallId: id,
      toolName: "read",
      output: { type: "text", value: `${id} ${"word ".repeat(words)}` },
    },
  ],
});
const turn = (id: string, words: number): RichMessage[] => [
  user(`${id}-question`),
  called(id),
  answered(id, words),
  said(`${id}-done`),
];
const turns = (count: number, words: number) => Array.from({ length: count }, (_, i) => turn(`t${i}`, words)).flat();
const summaryOf = (summary: string): AssistantMessage => ({
  ...reply("sum", {
    id: "sum.0",
    type: "compaction-marker",
    summary,
    compactedAt: 1,
    messagesCompacted: 4,
    originalTokens: 900,
  }),
  isSummary: true,
});

describe("the configuration", () => {
  it("has these defaults", () => {
    expect(DEFAULT_COMPACTION_CONFIG).toMatchObject({
      pruneMinimum: 20_000,
      pruneProtect: 40_000,
      outputReserve: 4_096,
      minTurnsToKeep: 2,
    });
    expect({ ...DEFAULT_COMPACTION_CONFIG, outputReserve: 4_000 }).toEqual(DEFAULT_CONFIG);
  });
});

describe("the limits of models", () => {
  it.each([
    ["openai/gpt-4o", 128_000, 16_384],
    ["openai/gpt-4o-mini", 128_000, 16_384],
    ["openai/gpt-4-turbo", 128_000, 4_096],
    ["openai/gpt-4", 8_192, 4_096],
    ["openai/gpt-3.5-turbo", 16_385, 4_096],
    ["anthropic/claude-3.5-sonnet", 200_000, 8_192],
    ["anthropic/claude-3-opus", 200_000, 4_096],
    ["anthropic/claude-3-sonnet", 200_000, 4_096],
    ["anthropic/claude-3-haiku", 200_000, 4_096],
    ["google/gemini-pro", 32_000, 8_192],
    ["google/gemini-1.5-pro", 1_000_000, 8_192],
    ["default", 16_000, 4_096],
  ])("of %s are %d tokens, and %d of output", (modelId, contextLimit, maxOutput) => {
    expect(getModelLimits(modelId)).toMatchObject({ contextLimit, maxOutput });
  });

  it("leave what the reply does not need", () => {
    expect(calculateAvailableTokens("openai/gpt-4o", 100_000)).toBe(128_000 - 16_384 - 100_000);
    expect(calculateAvailableTokens("openai/gpt-4o", 130_000, 4_096)).toBe(-6_096);
    const usable = 128_000 - 4_096;
    expect(isApproachingOverflow("openai/gpt-4o", Math.floor(usable * 0.9), 4_096)).toBe(false);
    expect(isApproachingOverflow("openai/gpt-4o", Math.floor(usable * 0.9) + 1, 4_096)).toBe(true);
  });
});

describe("counting", () => {
  it("counts each part by what is sent of it", () => {
    const [call] = called("a").parts;
    const [output] = answered("a", 5).parts;
    if (call?.type !== "tool-call" || output?.type !== "tool-result") throw new Error("no parts");
    expect(countPartTokens({ id: "p", type: "text", text: "Hello, world" })).toBe(countTokens("Hello, world"));
    expect(countPartTokens({ id: "p", type: "reasoning", text: "Hello, world" })).toBe(countTokens("Hello, world"));
    expect(countPartTokens(call)).toBe(countTokens("read") + countTokens('{"path":"a"}'));
    expect(countPartTokens({ id: "p", type: "step-start" })).toBe(4);
    expect(countPartTokens(output)).toBe(countTokens("a word word word word word "));
    const long = { ...output, output: { type: "text", value: "word ".repeat(5_000) } as const };
    expect(countPartTokens({ ...long, compactedAt: 1 })).toBeLessThan(30);
  });

  it("adds four tokens per message", () => {
    const list = turns(2, 5);
    const parts = list.flatMap((message) => message.parts).reduce((sum, part) => sum + countPartTokens(part), 0);
    expect(countTotalTokens(list)).toBe(parts + 4 * list.length);
    expect(list.reduce((sum, message) => sum + countMessageTokens(message), 0)).toBe(countTotalTokens(list));
  });

  it("adds ten percent for models of other providers than OpenAI", () => {
    expect(countTokensWithModelAdjustment("Hello, world", "openai/gpt-4o")).toBe(3);
    expect(countTokensWithModelAdjustment("Hello, world", "anthropic/claude-3-opus")).toBe(Math.ceil(3 * 1.1));
    expect(estimateTokens("Hello, world")).toBe(3);
  });

  it.each(["gpt-4o", "gpt-4", "claude-sonnet-4-5", "gemini-2.5-pro"])(
    "agrees with the receipt for %s",
    async (modelId) => {
      const session = (await createThroughline()).session("s", { modelId, contextLimit: 24_000 });
      await session.append(turns(12, 700));
      await session.append([
        reply("step", { id: "step.0", type: "step-start" }, { id: "step.1", type: "text", text: "Yes." }),
      ]);
      const system = "You are careful.";
      for (const budget of [20_000, 9_000, 3_000]) {
        const { messages, receipt } = await session.prepare({ system, budget });
        expect(countChatTokens(messages, { modelId, system })).toBe(receipt.tokens);
        const [head] = receipt.items;
        const own = session.prepared?.window ?? [];
        expect(countTotalTokens(own, { modelId }) + (head?.tokens ?? 0)).toBeGreaterThanOrEqual(receipt.tokens);
        expect(countTotalTokens(own, { modelId }) + (head?.tokens ?? 0) - receipt.tokens).toBeLessThanOrEqual(1);
      }
    },
  );
});

describe("pruning", () => {
  it("clears outputs behind the newest 40,000 tokens, never those of the last two turns, and keeps calls", () => {
    const list = turns(9, 10_000);
    const { messages, outputsPruned, tokensSaved, prunedTools } = pruneToolOutputs(list);
    const cleared = messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "tool-result" && part.compactedAt !== undefined ? [part] : [])),
    );
    // Turns 7 and 8 are the last two; 6 to 4 fit into 40,000 tokens.
    expect(cleared.map(({ toolCallId }) => toolCallId)).toEqual(["t0", "t1", "t2", "t3"]);
    expect(outputsPruned).toBe(4);
    expect(prunedTools).toEqual(["read"]);
    expect(tokensSaved).toBe(countTotalTokens(list) - countTotalTokens(messages));
    expect(messages.filter(({ parts }) => parts[0]?.type === "tool-call")).toHaveLength(9);
    for (const { compactedAt = 0, originalTokens = 0 } of cleared) {
      expect(Math.abs(Date.now() - compactedAt)).toBeLessThan(60_000);
      expect(originalTokens).toBeGreaterThan(10_000);
    }
    expect(list).toEqual(turns(9, 10_000));
  });

  it("reports nothing below 20,000 tokens", () => {
    const result = pruneToolOutputs(turns(7, 10_000));
    expect(result).toMatchObject({ outputsPruned: 0, tokensSaved: 0, prunedTools: [] });
  });

  it("is needed above 60,000 tokens of outputs before the last two turns", () => {
    expect(needsPruning(turns(7, 10_000))).toBe(false);
    expect(needsPruning(turns(8, 10_000))).toBe(true);
    expect(needsPruning(turns(8, 10_000), { pruneMinimum: 30_000 })).toBe(false);
    expect(needsPruning(turns(3, 100), { pruneProtect: 40, pruneMinimum: 40 })).toBe(true);
  });

  it("stops at a summary", () => {
    const list = [...turns(5, 10_000), summaryOf("Before."), ...turns(5, 10_000)];
    expect(pruneToolOutputs(list, { pruneProtect: 0, pruneMinimum: 0 }).outputsPruned).toBe(3);
  });
});

describe("MessageStore", () => {
  const opened = async () => {
    const store = inProcessStore();
    const messages = new MessageStore(store);
    for (const message of turn("a", 300)) await messages.saveMessage(message);
    return { store, messages };
  };
  const output = async (messages: MessageStore) => (await messages.loadMessages("s"))[2]?.parts[0];

  it("updates the output, the mark and the counts of a tool result; the history keeps the original", async () => {
    const { store, messages } = await opened();
    const cleared = "[Tool output cleared - see conversation summary]";
    await messages.updatePart("a-result.0", { output: cleared, compactedAt: 7, tokens: 9 });
    expect(await output(messages)).toMatchObject({
      output: { type: "text", value: cleared },
      compactedAt: 7,
      originalTokens: 302,
      tokens: 9,
    });
    expect(JSON.stringify(messages.toModelMessages(await messages.loadMessages("s")))).toContain(cleared);
    await messages.updatePart("a-result.0", { originalTokens: 300 });
    expect(await output(messages)).toMatchObject({ output: { value: cleared }, compactedAt: 7, originalTokens: 300 });
    const session = (await createThroughline({ store })).session("s");
    expect(JSON.stringify((await session.prepare()).messages)).toContain(cleared);
    expect(JSON.stringify(await session.history())).not.toContain(cleared);
    expect(JSON.stringify((await session.expand("part:a-result.0")).messages)).toContain("word word");
  });

  it("refuses to change what was said", async () => {
    const { messages } = await opened();
    await expect(messages.updatePart("a-question.0", { text: "other" } as never)).rejects.toThrow('"text"');
    await expect(messages.updatePart("a-question.0", { output: "other" })).rejects.toThrow("part of type text");
    await expect(messages.updatePart("a-result.0", { compactedAt: 0 })).rejects.toThrow("a number above 0");
  });
});

describe("the converters", () => {
  const text = "[Previous conversation summary]\nWe made the page.";

  it("announce a summary that has no heading of its own", () => {
    const list = [user("a"), summaryOf("We made the page."), user("b")];
    expect(convertRichToModel(list)[1]).toEqual({ role: "assistant", content: [{ type: "text", text }] });
    for (const converted of [convertRichToChat(list), convertRichToResponses(list), convertRichToAnthropic(list)]) {
      expect(JSON.stringify(converted)).toContain(JSON.stringify(text).slice(1, -1));
    }
    expect(countPartTokens(summaryOf("We made the page.").parts[0] as MessagePart)).toBe(countTokens(text));
    const headed = "## Session Summary (Compaction Round 1)\nWe made the page.";
    expect(convertRichToModel([summaryOf(headed)])[0]?.content).toEqual([{ type: "text", text: headed }]);
  });

  it("recognise that summary in the next round", async () => {
    const list = convertModelToRich(
      convertRichToModel([user("a"), summaryOf("We made the page."), ...turns(4, 5)]),
      "s",
    );
    const { messages } = await new CompactionService().compact(list);
    const summaries = messages.filter((message) => message.isSummary === true);
    expect(summaries).toHaveLength(1);
    expect(JSON.stringify(summaries)).toContain("We made the page.");
    expect(JSON.stringify(messages)).not.toContain("[Previous conversation summary]");
  });

  it("write a note in place of an output that is marked as compacted", () => {
    const marked = answered("a", 500);
    const list = [
      user("q"),
      called("a"),
      { ...marked, parts: marked.parts.map((part) => ({ ...part, compactedAt: 1 })) },
    ];
    const note = { status: "compacted", message: "Output cleared - see summary" };
    expect(convertRichToModel(list as RichMessage[])[2]?.content).toMatchObject([{ output: { value: note } }]);
    for (const convert of [convertRichToChat, convertRichToResponses, convertRichToAnthropic]) {
      expect(JSON.stringify(convert(list as RichMessage[]))).not.toContain("word word");
    }
  });

  it("skip messages without parts, and write calls and results for the AI SDK", () => {
    const [, call, result] = convertRichToModel([reply("e"), user("q"), called("a"), answered("a", 1)]);
    expect(call?.content).toEqual([{ type: "tool-call", toolCallId: "a", toolName: "read", input: { path: "a" } }]);
    expect(result?.content).toEqual([
      { type: "tool-result", toolCallId: "a", toolName: "read", output: { type: "text", value: "a word " } },
    ]);
  });
});

describe("CompactionService", () => {
  it("returns a summary message with a marker, the last two turns, and what was saved", async () => {
    const list = turns(8, 300);
    const result = await new CompactionService().compact(list);
    const { summaryMessage, messages, messagesCompacted, tokensSaved } = result;
    expect(summaryMessage).toMatchObject({ role: "assistant", isSummary: true, sessionId: "s" });
    const [marker] = summaryMessage?.parts ?? [];
    expect(marker).toMatchObject({ type: "compaction-marker", summary: expect.stringContaining("Session Summary") });
    if (marker?.type === "compaction-marker") expect(Math.abs(Date.now() - marker.compactedAt)).toBeLessThan(60_000);
    expect(messages.slice(-8)).toEqual(list.slice(-8));
    // The first request stays before the summary.
    expect(messagesCompacted).toBe(list.length - 8 - 1);
    expect(tokensSaved).toBe(countTotalTokens(list) - countTotalTokens(messages));
  });

  it("asks for the sections of a CMS in at most 2,000 tokens", async () => {
    const requests: ModelRequest[] = [];
    const generate = async (request: ModelRequest) => {
      requests.push(request);
      return { text: contentProfile.sections.map(({ title }) => `### ${title}\n- ok`).join("\n") };
    };
    const options = { profile: contentProfile };
    await generateSummary(turns(20, 50), null, "Make a page", 1, { modelId: "gpt-4o-mini", generate }, options);
    const [{ system = "", prompt = "", maxOutputTokens } = {} as Partial<ModelRequest>] = requests;
    expect(maxOutputTokens).toBe(2_000);
    expect(system).toContain(
      "You are summarizing a CMS agent conversation to help continue it in a new context window.",
    );
    for (const title of [
      "What Was Accomplished",
      "Current State",
      "User Preferences",
      "What Comes Next",
      "Technical Context",
    ]) {
      expect(prompt).toContain(`### ${title}\n`);
    }
    for (const text of [
      "(include IDs and slugs)",
      'explicit "I want..."',
      "things the user said NO to",
      "Maximum 2000 tokens",
    ]) {
      expect(prompt).toContain(text);
    }
  });

  it("leaves out failed replies without content", () => {
    const error = { name: "Error", message: "overloaded" };
    const failed = { ...reply("f", { id: "f.0", type: "reasoning", text: "hm" }), error };
    const cut = { ...said("c"), error };
    expect(filterMessagesForCompaction([user("a"), failed, cut, answered("x", 1)]).map(({ id }) => id)).toEqual([
      "a",
      "c",
      "x-result",
    ]);
  });
});

describe("ContextManager", () => {
  it("reserves 4,096 tokens for the reply", () => {
    const list = turns(2, 50);
    const currentTokens = countTotalTokens(list);
    expect(new ContextManager().checkOverflow(list, "openai/gpt-4o")).toEqual({
      isOverflow: false,
      currentTokens,
      availableTokens: 128_000 - 4_096 - currentTokens,
      modelLimit: 128_000,
      outputReserve: 4_096,
    });
  });

  it("prunes before it summarizes, and names the tools of cleared outputs and of the working context", async () => {
    const pruned = await new ContextManager().prepareContext(turns(14, 10_000), "openai/gpt-4o");
    expect(pruned).toMatchObject({ wasPruned: true, wasCompacted: false, debug: { removedTools: ["read"] } });
    const { before, afterPrune, final } = pruned.tokens;
    expect(before).toBeGreaterThan(afterPrune);
    expect(final).toBe(afterPrune);
    const workingContext = new WorkingContext();
    workingContext.discover("deploy");
    const manager = new ContextManager({ workingContext });
    const both = await manager.prepareContext(
      [...turns(14, 10_000), user("z", "word ".repeat(120_000))],
      "openai/gpt-4o",
    );
    expect(both.debug.removedTools).toEqual(["read", "deploy"]);
  });

  it.each(["anthropic/claude-3-opus", "openai/gpt-4o"])("fits what it counts for %s", async (modelId) => {
    const manager = new ContextManager({ modelContextLimit: 9_000 });
    const list = Array.from({ length: 900 }, (_, i) => (i % 2 === 0 ? user(`u${i}`, "a b c") : said(`a${i}`)));
    const { messages } = await manager.prepareContext(list, modelId);
    expect(manager.checkOverflow(messages, modelId).isOverflow).toBe(false);
  });

  it("keeps system messages in the middle for OpenAI, which takes them there", async () => {
    const note: RichMessage = {
      ...base("n"),
      role: "system",
      parts: [{ id: "n.0", type: "text", text: "Now German." }],
    };
    const list = [...turns(4, 900), note, ...turn("z", 10)];
    const rolesFor = async (modelId: string) => {
      const { messages } = await new ContextManager({ modelContextLimit: 6_000 }).prepareContext(list, modelId);
      return messages.find(({ id }) => id === "n")?.role;
    };
    expect(await rolesFor("openai/gpt-4o")).toBe("system");
    const roles = (provider: "openai" | undefined) => repairWindow(list, { provider }).messages.map(({ role }) => role);
    expect(roles("openai")).toContain("system");
    expect(roles(undefined)).not.toContain("system");
    const session = (await createThroughline()).session("s", { provider: "openai" });
    await session.append(list);
    expect((await session.prepare()).messages.map(({ role }) => role)).toContain("system");
  });
});

describe("ContextCoordinator", () => {
  it("saves, prepares before each reply, prunes at the end, and tells of each compaction", async () => {
    const tl = await createThroughline();
    const coordinator = new ContextCoordinator(tl, { contextLimit: 24_000 });
    await coordinator.saveSessionData("s", turns(1, 10));
    await coordinator.prepareContext("s", "gpt-4o");
    const seen: CompactionEventType[] = [];
    const starts: CompactionStartEvent["data"][] = [];
    const ends: CompactionCompleteEvent["data"][] = [];
    tl.session("s").on((event) => {
      seen.push(event.type);
      if (event.type === "compaction:start") starts.push(event.data);
      if (event.type === "compaction:complete") ends.push(event.data);
    });
    const talk = Array.from({ length: 30 }, (_, i) => [user(`u${i}`, "word ".repeat(600)), said(`a${i}`)]).flat();
    await coordinator.saveSessionData("s", talk);
    const { wasCompacted, tokens } = await coordinator.prepareContext("s", "gpt-4o", { system: "Be brief." });
    expect(wasCompacted).toBe(true);
    expect(starts).toEqual([{ tokensBefore: expect.any(Number), modelLimit: 24_000, reason: "overflow" }]);
    expect(ends).toEqual([
      {
        tokensBefore: starts[0]?.tokensBefore,
        tokensAfter: expect.any(Number),
        messagesCompacted: expect.any(Number),
        wasPruned: false,
        wasSummarized: false,
      },
    ]);
    expect(tokens.final).toBeLessThan(tokens.before);
    await coordinator.saveSessionData("s", turns(16, 700));
    expect(await coordinator.pruneToolOutputs("s")).toBe(true);
    expect(seen).toEqual(["compaction:start", "compaction:complete", "prune:complete"]);
    expect(await coordinator.isSessionCompacting("s")).toBe(false);
  });
});

it("names the kinds of parts", () => {
  const kinds: MessagePartType[] = ["text", "tool-call", "tool-result", "reasoning", "step-start", "compaction-marker"];
  const part: BaseMessagePart = { id: "p", tokens: 3 };
  expect([kinds.length, part.id]).toEqual([6, "p"]);
});
