import type { LanguageModel } from "ai";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  COMPACTION_THRESHOLD,
  type CompactionConfig,
  type CompactionResult,
  type CompactionSelection,
  calculateThreshold,
  codingProfile,
  compact,
  DEFAULT_CONFIG,
  extractOriginalTask,
  formatMessagesForSummary,
  generateSummary,
  getLastCompactionEvent,
  MessageStore,
  markMessagesCompacted,
  safeCompact,
  saveCompactionEvent,
  selectMessagesToCompact,
  shouldCompact,
} from "../../src/exports/compact.ts";
import { adjustBoundaryForToolPairs, convertModelToRich } from "../../src/exports/messages.ts";
import { inProcessStore } from "../../src/exports/store.ts";
import {
  estimateMessagesTokens,
  estimateTokens,
  getContextLimit,
  MODEL_CONTEXT_LIMITS,
} from "../../src/exports/tokens.ts";
import type { Message } from "../../src/message/message.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import { createThroughline } from "../../src/throughline.ts";

// The facts of the agent compaction layer: names, numbers, texts and order, through the public entry points.

const call = (id: string) => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId: id, toolName: "read", input: { path: `/src/${id}.ts` } }],
});
const result = (id: string, text = `text of ${id}`) => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: id, toolName: "read", output: { type: "text", value: text } }],
});
const talk = (count: number, name = "m") =>
  Array.from({ length: count }, (_, i) => ({ role: i % 2 === 0 ? "user" : "assistant", content: `${name}${i}` }));
const agent = [{ role: "system", content: "Be brief." }, ...talk(24)];

afterEach(() => vi.restoreAllMocks());

describe("estimateTokens and estimateMessagesTokens", () => {
  it("count four characters per token, rounded up", () => {
    expect([estimateTokens(""), estimateTokens("abcd"), estimateTokens("abcde")]).toEqual([0, 1, 2]);
    expect(estimateTokens(undefined as never)).toBe(0);
  });

  it("add two tokens per role, texts, names and arguments of calls, and results", () => {
    expect(estimateMessagesTokens([{ role: "user", content: "Hello, world" }])).toBe(2 + 3);
    const args = JSON.stringify({ path: "/src/a.ts" });
    expect(estimateMessagesTokens([call("a")])).toBe(2 + 1 + Math.ceil(args.length / 4));
    expect(estimateMessagesTokens([result("a")])).toBe(2 + Math.ceil(JSON.stringify("text of a").length / 4));
  });

  it("count calls beside the content of an assistant message", () => {
    const toolCalls = [{ toolName: "read", args: { path: "/src/a.ts" } }];
    const beside = { role: "assistant", content: "", toolCalls };
    expect(estimateMessagesTokens([beside])).toBe(estimateMessagesTokens([call("a")]));
    expect(estimateMessagesTokens([{ role: "user", content: "", toolCalls } as typeof beside])).toBe(2);
  });
});

describe("the threshold", () => {
  it("has these defaults", () => {
    expect(DEFAULT_CONFIG).toMatchObject({
      modelContextLimit: 128_000,
      systemReserve: 2_000,
      outputReserve: 4_000,
      safetyBuffer: 5_000,
      thresholdPercent: 0.8,
      recentMessagesToKeep: 10,
    } satisfies Partial<CompactionConfig>);
    expect(COMPACTION_THRESHOLD).toBe(93_600);
    expect(calculateThreshold(DEFAULT_CONFIG)).toBe(COMPACTION_THRESHOLD);
  });

  it("knows the context limits of models by id", () => {
    expect(MODEL_CONTEXT_LIMITS).toMatchObject({
      "gpt-4o": 128_000,
      "gpt-4-turbo": 128_000,
      "gpt-4": 8_192,
      "claude-3-5-sonnet-20240620": 200_000,
      "claude-3-haiku-20240307": 200_000,
    });
    for (const [modelId, limit] of Object.entries(MODEL_CONTEXT_LIMITS)) expect(getContextLimit(modelId)).toBe(limit);
  });

  it("is not looked at in a list that a compaction would keep whole", () => {
    const long = { role: "user", content: "word ".repeat(200_000) };
    expect(shouldCompact(Array.from({ length: 11 }, () => long))).toBe(false);
    expect(shouldCompact(Array.from({ length: 12 }, () => long))).toBe(true);
    expect(shouldCompact(talk(12))).toBe(false);
  });

  it("is reached by the estimate at exactly its number", () => {
    const config = { ...DEFAULT_CONFIG, recentMessagesToKeep: 1 };
    const list = (characters: number) => [
      ...talk(2, ""),
      { role: "user", content: " international".repeat(40_000).slice(0, characters) },
    ];
    const missing = COMPACTION_THRESHOLD - estimateMessagesTokens(list(0));
    expect(shouldCompact(list(missing * 4), config)).toBe(true);
    expect(shouldCompact(list((missing - 1) * 4), config)).toBe(false);
  });
});

describe("selectMessagesToCompact", () => {
  it("keeps the first message and the last ten", () => {
    const { messagesToCompact, messagesToKeep, previousSummary }: CompactionSelection = selectMessagesToCompact(agent);
    expect(messagesToCompact).toEqual(agent.slice(1, 15));
    expect(messagesToKeep).toEqual([agent[0], ...agent.slice(15)]);
    expect(previousSummary).toBeNull();
  });

  it("keeps the first message also if it is not the system prompt", () => {
    const { messagesToCompact, messagesToKeep } = selectMessagesToCompact(talk(24));
    expect(messagesToKeep[0]).toEqual({ role: "user", content: "m0" });
    expect(messagesToCompact[0]).toEqual({ role: "assistant", content: "m1" });
  });

  it("leaves a list of at most eleven messages alone", () => {
    const selection = { messagesToCompact: [], messagesToKeep: agent.slice(0, 11), previousSummary: null };
    expect(selectMessagesToCompact(agent.slice(0, 11))).toEqual(selection);
  });

  it("finds the summary of an earlier round at the second place, and skips it", () => {
    const summary = { role: "assistant", content: "## Session Summary (Compaction Round 3)\nSo far." };
    const [system, ...rest] = agent;
    const { messagesToCompact, previousSummary } = selectMessagesToCompact([system ?? summary, summary, ...rest]);
    expect(previousSummary).toBe(summary.content);
    expect(messagesToCompact[0]).toEqual(rest[0]);
  });

  it("never starts the tail with a result without its call", () => {
    const list = [...talk(5), call("a"), result("a"), ...talk(3)];
    expect(selectMessagesToCompact(list, 4).messagesToKeep[1]).toEqual(call("a"));
    expect(adjustBoundaryForToolPairs(list, 6)).toBe(5);
    expect(adjustBoundaryForToolPairs(list, 5)).toBe(5);
  });
});

describe("formatMessagesForSummary", () => {
  it("numbers messages, names roles, and separates them by a rule", () => {
    expect(formatMessagesForSummary([...talk(2), call("a"), result("a")])).toBe(
      [
        "[0] USER:\nm0",
        "[1] ASSISTANT:\nm1",
        '[2] ASSISTANT:\n[Tool: read({"path":"/src/a.ts"})]',
        "[3] TOOL:\n[Result: text of a]",
      ].join("\n\n---\n\n"),
    );
  });

  it("cuts results to 500 characters and messages to 2,000", () => {
    const results = formatMessagesForSummary([result("a", "x".repeat(20_000))]);
    expect(results.match(/x/g)).toHaveLength(500);
    const text = formatMessagesForSummary([{ role: "user", content: "x".repeat(20_000) }]);
    expect(text.match(/x/g)).toHaveLength(2_000);
    expect(text).toContain("\n[...truncated...]\n");
  });
});

const PROSE = codingProfile.sections.map(({ title }) => `### ${title}\n- ok`).join("\n");

function summarizer(text = PROSE) {
  const requests: ModelRequest[] = [];
  const generate = async (request: ModelRequest) => {
    requests.push(request);
    return { text };
  };
  return { requests, modelId: "gpt-4o", generate };
}

const longTalk = talk(60, "We renamed the module and the tests still pass, so the next step is the release of part ");

describe("generateSummary", () => {
  it("asks with these texts, sections and limits", async () => {
    const model = summarizer();
    await generateSummary(longTalk, null, "Rename it", 2, model);
    const [{ system = "", prompt = "", ...limits } = { signal: undefined }] = model.requests;
    expect(limits).toMatchObject({ maxOutputTokens: 1_000, temperature: 0.3 });
    const order = [
      "## Previous Summary",
      "None - this is the first compaction round.",
      "## Original User Task",
      "Rename it",
      "## Messages to Summarize",
      "[0] USER:",
      "## Instructions\nCreate a summary with these EXACT sections:",
      "Session Summary (Compaction Round 2)",
      "Original Task\n[Preserve the user's original request verbatim]",
      "Completed Work",
      "| File/Component | Action | Description |",
      "Key Technical Decisions",
      "Current State",
      "Pending Work",
      "Errors & Resolutions",
      "## Constraints\n- Maximum 800 tokens\n- Use tables and bullet points for density\n- Include exact file paths",
      "- No code blocks unless absolutely critical",
      "- If previous summary exists, INTEGRATE (don't duplicate) its content",
    ];
    const places = order.map((text) => prompt.indexOf(text));
    expect(places.filter((place) => place < 0)).toEqual([]);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(system).toContain(
      "You are summarizing a coding agent's conversation history.\nYour summary will replace the",
    );
    expect(system).toContain("CRITICAL: Be thorough but concise. Missing information cannot be recovered.");
  });

  it("starts with the heading of its round", async () => {
    const summary = await generateSummary(longTalk, "Before.", "Rename it", 4, summarizer());
    expect(summary).toMatch(/^## Session Summary \(Compaction Round 4\)\n/);
  });

  it("takes the id of a model, and finds it with the global provider of the AI SDK", async () => {
    const languageModel = vi.fn((modelId: string) => ({
      modelId,
      doGenerate: async () => ({ content: [{ type: "text", text: PROSE }] }),
    }));
    vi.stubGlobal("AI_SDK_DEFAULT_PROVIDER", { languageModel });
    try {
      const model = "openai/gpt-4o" as LanguageModel;
      expect(await generateSummary(longTalk, null, "Rename it", 1, model)).toContain("### Pending Work");
      expect(languageModel).toHaveBeenCalledWith("openai/gpt-4o");
      await expect(createThroughline({ model: "openai/gpt-4o" })).resolves.toBeDefined();
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("refuses an id that the global provider does not know, and reports it", async () => {
    vi.stubGlobal("AI_SDK_DEFAULT_PROVIDER", {
      languageModel: (modelId: string) => {
        throw new Error(`No such model: ${modelId}`);
      },
    });
    try {
      const message = 'Invalid model: "openai/gpt-none".';
      await expect(createThroughline({ model: "openai/gpt-none" })).rejects.toThrow(message);
      await expect(generateSummary(longTalk, null, "t", 1, "openai/gpt-none")).rejects.toThrow("No such model");
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe("compact", () => {
  it("puts the summary between the task and the last ten messages, under the heading of its round", async () => {
    const { compactedMessages, compactionEvent }: CompactionResult = await compact(agent, "s", undefined);
    expect(compactedMessages.slice(0, 2)).toEqual(agent.slice(0, 2));
    expect(compactedMessages.slice(-10)).toEqual(agent.slice(-10));
    expect(compactedMessages[2]?.role).toBe("assistant");
    expect(JSON.stringify(compactedMessages[2]?.content)).toContain("## Session Summary (Compaction Round 1)");
    expect(compactionEvent).toMatchObject({ round: 1, summaryContent: expect.stringMatching(/^## Session Summary/) });
  });

  it("returns the same list if there is nothing to compact", async () => {
    const { compactedMessages, compactionEvent } = await compact(agent.slice(0, 5), "s", undefined);
    expect(compactedMessages).toEqual(agent.slice(0, 5));
    const { tokensBefore } = compactionEvent;
    expect(compactionEvent).toEqual({
      round: 0,
      tokensBefore,
      tokensAfter: tokensBefore,
      summaryContent: "",
      compactedMessageIds: [],
    });
    const list = agent.slice(0, 5);
    expect((await compact(list, "s", undefined)).compactedMessages).toBe(list);
  });

  it("integrates the summary of the round before", async () => {
    const first = await compact(agent, "s", undefined);
    const second = await compact([...first.compactedMessages, ...talk(24, "n")], "s", undefined);
    expect(second.compactionEvent.round).toBe(2);
    expect(JSON.stringify(second.compactedMessages).match(/## Session Summary/g)).toHaveLength(1);
  });

  it("logs the round and its tokens", async () => {
    const info = vi.fn();
    const { compactionEvent } = await compact(agent, "s", undefined, { logger: { info, warn: vi.fn() } });
    const { tokensBefore, tokensAfter, compactedMessageIds } = compactionEvent;
    expect(info).toHaveBeenCalledWith(
      `[Compaction] Round 1: ${tokensBefore} → ${tokensAfter} tokens (${compactedMessageIds.length} messages summarized)`,
    );
  });

  it("takes the text of the first user message as the task", () => {
    expect(extractOriginalTask(agent)).toBe("m0");
    expect(extractOriginalTask([{ role: "assistant", content: "Hello" }])).toBe("Unknown task");
  });
});

describe("safeCompact", () => {
  const stored = async () => {
    const store = inProcessStore();
    const messages = new MessageStore(store);
    const list: Message[] = convertModelToRich(agent.slice(1), "s");
    for (const message of list) await messages.saveMessage(message);
    return { store, messages, list };
  };

  it("saves the event, marks the messages, and continues the rounds of the store", async () => {
    const { store, messages, list } = await stored();
    expect(await getLastCompactionEvent(store, "s")).toBeUndefined();
    await safeCompact(list, "s", undefined, { store });
    const event = await getLastCompactionEvent(store, "s");
    expect(event).toMatchObject({ round: 1, summaryContent: expect.stringContaining("## Session Summary") });
    const ids = event?.compactedMessageIds ?? [];
    expect(ids).toHaveLength(13);
    const marks = await store.messages.marks({ userId: "local", sessionId: "s" });
    expect([...marks.keys()]).toEqual(ids.map((id) => `${id}.0`));
    for (const at of marks.values()) expect(at).toBeGreaterThan(0);
    const [summary, ...rest] = await messages.getMessagesSinceCompaction("s");
    expect(summary).toMatchObject({ role: "assistant", isSummary: true });
    expect(rest.map(({ id }) => id)).toEqual(list.map(({ id }) => id).filter((id) => !ids.includes(id)));
    const again = await compact(list, "s", undefined, { store });
    expect(again.compactionEvent.round).toBe(2);
  });

  it("does in one call what the two functions do", async () => {
    const { store, list } = await stored();
    const { compactionEvent } = await compact(list, "s", undefined, { store });
    await saveCompactionEvent(store, "s", compactionEvent);
    await markMessagesCompacted(store, "s", [...compactionEvent.compactedMessageIds, "unknown"]);
    expect(await getLastCompactionEvent(store, "s")).toEqual(compactionEvent);
    const { compactions, lastCompactionAt } = await store.sessions.head({ userId: "local", sessionId: "s" });
    expect(compactions).toBe(1);
    expect(lastCompactionAt).toBeGreaterThan(0);
    await expect(saveCompactionEvent(store, "s", compactionEvent)).rejects.toThrow("list-compaction-1");
  });

  it("does not disturb the rounds of a session in the same store", async () => {
    const { store, list } = await stored();
    await safeCompact(list, "s", undefined, { store });
    const session = (await createThroughline({ store })).session("s");
    expect(await session.compact({ keepTokens: 0, targetTokens: 200 })).toMatchObject({ round: 1 });
    expect((await session.expand("list-compaction-1")).messages).toHaveLength(13);
  });

  it("logs a failure and returns the messages", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const broken = [{ role: "wizard", content: "?" }];
    expect(await safeCompact(broken, "s", undefined)).toBe(broken);
    expect(error).toHaveBeenCalledWith(
      expect.stringMatching(/^\[Compaction\] Failed, continuing without compaction: .*wizard/),
    );
  });

  it("logs a model that gave no summary, and uses the ledger", async () => {
    const warn = vi.fn();
    const model = { modelId: "gpt-4o", generate: () => Promise.reject(new Error("overloaded")) };
    const list = await safeCompact(agent, "s", model, { logger: { info: vi.fn(), warn } });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("overloaded"));
    expect(JSON.stringify(list)).toContain("## Session Summary (Compaction Round 1)");
  });
});
