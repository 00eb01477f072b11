import { describe, expect, it } from "vitest";
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
  WorkingContext,
} from "../../src/exports/compact.ts";
import { type RichMessage, repairWindow } from "../../src/exports/messages.ts";
import { countTotalTokens } from "../../src/exports/tokens.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import { createThroughline } from "../../src/throughline.ts";
import { answered, base, reply, said, turn, turns, user } from "./context-messages.fixture.ts";

// The context compaction specification: configuration, summaries and orchestration through the public exports.

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

describe("CompactionService", () => {
  it("returns a summary message with a marker, the last two turns and the tokens saved", async () => {
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
  it("saves, prepares before each reply, prunes at the end, and emits events for each compaction", async () => {
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
