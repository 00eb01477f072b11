import { describe, expect, it } from "vitest";
import { CompactionService, MessageStore, needsPruning, pruneToolOutputs } from "../../src/exports/compact.ts";
import {
  type BaseMessagePart,
  convertModelToRich,
  convertRichToAnthropic,
  convertRichToChat,
  convertRichToModel,
  convertRichToResponses,
  type MessagePart,
  type MessagePartType,
  type RichMessage,
} from "../../src/exports/messages.ts";
import { inProcessStore } from "../../src/exports/store.ts";
import {
  countChatTokens,
  countMessageTokens,
  countPartTokens,
  countTokens,
  countTokensWithModelAdjustment,
  countTotalTokens,
  estimateTokens,
} from "../../src/exports/tokens.ts";
import { createThroughline } from "../../src/throughline.ts";
import { answered, called, reply, summaryOf, turn, turns, user } from "./context-messages.fixture.ts";

// The context compaction specification: counting, pruning, storing and converting messages through the public exports.

describe("counting", () => {
  it("counts only the text of a part that is sent", () => {
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
        const own = session.lastWindow?.window ?? [];
        // The margin is rounded once per sum.
        const difference = countTotalTokens(own, { modelId }) + (head?.tokens ?? 0) - receipt.tokens;
        expect(Math.abs(difference)).toBeLessThanOrEqual(1);
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

  it("refuses to change the text of a message", async () => {
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

  it("recognize that summary in the next round", async () => {
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

it("names the kinds of parts", () => {
  const kinds: MessagePartType[] = ["text", "tool-call", "tool-result", "reasoning", "step-start", "compaction-marker"];
  const part: BaseMessagePart = { id: "p", tokens: 3 };
  expect([kinds.length, part.id]).toEqual([6, "p"]);
});
